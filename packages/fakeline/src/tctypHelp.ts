/** What `:TCTYP ?` prints, from recording 07a; its second line end is the wrap of the screen. */
export const TCTYP_HELP = `This file is .INFO.;TCTYP ORDER .
A brief description (typed by "HELP" command) comes first.
Full description on the next page.

Invoke TCTYP by ":TCTYP <COMMANDS> <CR>" typed at DDT.
Command names may be abbreviated if the abbreviation is unambiguous.

The basic commands are: AAA AMBASSADOR C100 CDI DATAMEDIA DATAPOINT
DISAPPOINT DM2500 EXECUPORT GLASS GT40 GT44 H19 HEATH HP2640 IMLAC
LA36 MBEE MEMOWRECK MINIBEE4 OIMLAC OMRON PRINTING S1GRINNEL SBEE
SIMLAC SOFTWARE SUPERBEE T1061 T35 TEKTRONIX TELETYPE
TERMINET TIMLAC TISILENT TT2500 TV VT50 VT52 Z19 340D.
For other types of terminals, see INFO;CRTSTY >.

User option flags are: MORE SAIL SCROLL STANDARDIZE UPPERCASE 
LOWERCASE BOW ICO OCO ACCEPT REFUSE QUERY
Flag name sets flag.  Precede name by "NO" to clear flag.

Terminal property flags are:
 RAW ERASEABLE BACKSPACE DISPLAY OVERPRINT HALFDUPLEX
 FULLDUPLEX

Numeric argument commands are: LINELENGTH PAGE PADCR PADLF
PADTAB WHOLINE SCRLCOUNT HEIGHT ISPEED OSPEED SPEED SAVELINES
Follow command by argument.

"PADDED" command => want normal padding even on pseudo-tty line
(normally they are unpadded) e.g.: "PADDED MEMOWRECK".
Users coming from TIPs often need this option.

No commands => describe tty's settings briefly.
"DESCRIBE" command => give full description.
`;
