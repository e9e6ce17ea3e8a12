/**
 * Terminal types of ITS: what `:TCTYP ?` lists as its basic commands (ITS 1652, recording 07a). Each stays on the line until the
 * next is set, so that a wrong one is refused before anything is typed.
 */
export const TERMINAL_TYPES: readonly string[] =
  `AAA AMBASSADOR C100 CDI DATAMEDIA DATAPOINT DISAPPOINT DM2500 EXECUPORT GLASS GT40 GT44 H19
   HEATH HP2640 IMLAC LA36 MBEE MEMOWRECK MINIBEE4 OIMLAC OMRON PRINTING S1GRINNEL SBEE SIMLAC
   SOFTWARE SUPERBEE T1061 T35 TEKTRONIX TELETYPE TERMINET TIMLAC TISILENT TT2500 TV VT50 VT52 Z19
   340D`.split(/\s+/);

/** In either case. */
export function isTerminalType(name: string): boolean {
  return TERMINAL_TYPES.includes(name.toUpperCase());
}

/** What is said of any other name. */
export const TERMINAL_TYPE_NEEDED = `ITS knows no such terminal type; nothing was done. It knows ${TERMINAL_TYPES.join(', ')}`;
