/**
 * Transitions of the ANSI parser, as data: for each state and byte the next state and what to do.
 *
 * Source: ECMA-48 5.3 to 5.6 for the forms of control functions; the states and their names are those of Paul Williams'
 * chart of a DEC-compatible parser (vt100.net/emu/dec_ansi_parser).
 *
 * Deviations, all because this reads streams of text in UTF-8 that may have lost something, and wants to lose no more:
 * - Bytes above 7F are text wherever a control function is not a string; C1 controls of one byte do not exist in UTF-8.
 * - CR and LF give a control sequence or an operating system command up, and count.
 * - What cannot stand in a control sequence gives it up and is text (the chart skips to the final byte).
 * - DCS, SOS, PM and APC are one state: nothing in them is looked at, so the chart's eight states are not needed.
 */

export const ANSI_STATES = [
  'ground',
  'escape',
  'escapeIntermediate',
  'csiEntry',
  'csiParam',
  'csiIntermediate',
  'oscString',
  'opaqueString',
] as const;
export type AnsiState = (typeof ANSI_STATES)[number];

/** `reconsider`: the sequence is given up, and the byte is read again in `ground`. */
export const ANSI_STEPS = [
  'ignore',
  'print',
  'execute',
  'param',
  'collect',
  'escDispatch',
  'csiDispatch',
  'reconsider',
] as const;
export type AnsiStep = (typeof ANSI_STEPS)[number];

type Row = readonly [from: number, to: number, step: AnsiStep, next: AnsiState];

const BYTES = 256;
const STATE_BITS = 4;
const STATE_MASK = (1 << STATE_BITS) - 1;

/** Anywhere rules, for every state but `ground`: CAN and SUB abandon, ESC begins anew. */
const ABANDON: readonly Row[] = [
  [0x18, 0x18, 'execute', 'ground'],
  [0x1a, 0x1a, 'execute', 'ground'],
  [0x1b, 0x1b, 'ignore', 'escape'],
];
/** Line ends do not belong into sequences. */
const LINE_ENDS: readonly Row[] = [
  [0x0a, 0x0a, 'execute', 'ground'],
  [0x0d, 0x0d, 'execute', 'ground'],
];

function sequence(state: AnsiState, rows: readonly Row[]): readonly Row[] {
  return [
    [0x00, 0x1f, 'execute', state],
    ...ABANDON,
    ...LINE_ENDS,
    ...rows,
    [0x7f, 0x7f, 'ignore', state],
    [0x80, 0xff, 'reconsider', 'ground'],
  ];
}

/** Later rows of a state overrule earlier ones. */
const ROWS: Record<AnsiState, readonly Row[]> = {
  ground: [
    [0x00, 0x1f, 'execute', 'ground'],
    [0x1b, 0x1b, 'ignore', 'escape'],
    [0x20, 0x7e, 'print', 'ground'],
    [0x7f, 0x7f, 'ignore', 'ground'],
    [0x80, 0xff, 'print', 'ground'],
  ],
  escape: sequence('escape', [
    [0x20, 0x2f, 'ignore', 'escapeIntermediate'],
    [0x30, 0x7e, 'escDispatch', 'ground'],
    [0x5b, 0x5b, 'ignore', 'csiEntry'],
    [0x5d, 0x5d, 'ignore', 'oscString'],
    [0x50, 0x50, 'ignore', 'opaqueString'], // DCS
    [0x58, 0x58, 'ignore', 'opaqueString'], // SOS
    [0x5e, 0x5f, 'ignore', 'opaqueString'], // PM, APC
  ]),
  escapeIntermediate: sequence('escapeIntermediate', [
    [0x20, 0x2f, 'ignore', 'escapeIntermediate'],
    [0x30, 0x7e, 'ignore', 'ground'],
  ]),
  csiEntry: sequence('csiEntry', [
    [0x20, 0x2f, 'collect', 'csiIntermediate'],
    [0x30, 0x3f, 'param', 'csiParam'],
    [0x40, 0x7e, 'csiDispatch', 'ground'],
  ]),
  csiParam: sequence('csiParam', [
    [0x20, 0x2f, 'collect', 'csiIntermediate'],
    [0x30, 0x3b, 'param', 'csiParam'],
    [0x3c, 0x3f, 'reconsider', 'ground'], // a private marker stands at the front only
    [0x40, 0x7e, 'csiDispatch', 'ground'],
  ]),
  csiIntermediate: sequence('csiIntermediate', [
    [0x20, 0x3f, 'reconsider', 'ground'],
    [0x40, 0x7e, 'csiDispatch', 'ground'],
  ]),
  oscString: [
    [0x00, 0xff, 'ignore', 'oscString'],
    ...ABANDON,
    ...LINE_ENDS,
    [0x07, 0x07, 'ignore', 'ground'], // xterm's terminator, which all have taken over
  ],
  opaqueString: [[0x00, 0xff, 'ignore', 'opaqueString'], ...ABANDON],
};

const TABLE = toTable();

export function stateIndex(state: AnsiState): number {
  return ANSI_STATES.indexOf(state);
}

export function stateName(index: number): AnsiState {
  return ANSI_STATES[index] ?? 'ground';
}

/** What `byte` does in the state of that index: `stepOf` and `nextOf` take it apart. */
export function transition(state: number, byte: number): number {
  return TABLE[state * BYTES + byte] ?? 0;
}

export function stepOf(entry: number): AnsiStep {
  return ANSI_STEPS[entry >> STATE_BITS] ?? 'ignore';
}

export function nextOf(entry: number): number {
  return entry & STATE_MASK;
}

function toTable(): Uint8Array {
  const table = new Uint8Array(ANSI_STATES.length * BYTES);
  for (const [state, name] of ANSI_STATES.entries()) {
    for (const [from, to, step, next] of ROWS[name]) {
      table.fill(
        (ANSI_STEPS.indexOf(step) << STATE_BITS) | stateIndex(next),
        state * BYTES + from,
        state * BYTES + to + 1,
      );
    }
  }
  return table;
}
