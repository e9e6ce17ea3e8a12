/**
 * The text of a command's output once more, one byte at a time: the table's step for each byte, and each character and control
 * by itself. What `AnsiTextView` takes in runs is measured against it.
 */
import { AnsiTextBuilder } from '../../../src/core/ansi/ansiTextBuilder.ts';
import { AnsiWriter, CR } from '../../../src/core/ansi/ansiWriter.ts';
import { isControlFunction } from '../../../src/core/ansi/functions.ts';
import { PARAMETER_BYTES_LIMIT } from '../../../src/core/ansi/parser.ts';
import {
  type AnsiState,
  nextOf,
  stateIndex,
  stateName,
  stepOf,
  transition,
} from '../../../src/core/ansi/table.ts';
import { INCOMPLETE, INVALID, REPLACEMENT, Utf8Decoder } from '../../../src/core/ansi/utf8.ts';

export interface SlowReading {
  readonly codes: readonly number[];
  readonly ends: readonly number[];
  readonly bells: readonly { readonly index: number; readonly at: number }[];
  readonly motions: number;
  readonly writer: ReturnType<AnsiWriter['snapshot']>;
  /** Bytes since a CR that ended a line, while an LF would belong to it; else 0. */
  readonly crBytes: number;
}

/** Reads `bytes`, which have no string longer than its limit. */
export function readSlowly(bytes: Uint8Array): SlowReading {
  const writer = new AnsiWriter();
  const decoder = new Utf8Decoder();
  const builder = new AnsiTextBuilder(bytes.length, true);
  let state: AnsiState = 'ground';
  let parameters = '';
  let intermediate = '';
  let crAt: number | undefined;

  const character = (codePoint: number, at: number) => {
    crAt = undefined;
    writer.character(codePoint, at, builder);
  };
  const abandon = (at: number) => {
    if (!decoder.isPending) return;
    decoder.reset();
    character(REPLACEMENT, at);
  };
  const print = (byte: number, at: number) => {
    let codePoint = decoder.take(byte);
    if (codePoint === INVALID) {
      character(REPLACEMENT, at);
      codePoint = decoder.take(byte);
    }
    crAt = undefined;
    if (codePoint !== INCOMPLETE) character(codePoint, at);
  };
  const execute = (code: number, at: number) => {
    if (code === 0) return;
    crAt = undefined;
    if (code === 7) builder.bell(at);
    else writer.execute(code, at, builder);
    if (code === CR && writer.isEndedByReturn) crAt = at;
  };
  const release = (at: number) => {
    if (intermediate !== '') character(intermediate.charCodeAt(0), at);
  };

  for (const [at, byte] of bytes.entries()) {
    const letter = String.fromCharCode(byte);
    let entry = transition(stateIndex(state), byte);
    if (stepOf(entry) === 'reconsider') {
      release(at);
      state = 'ground';
      entry = transition(stateIndex(state), byte);
    }
    const step = stepOf(entry);
    if (step !== 'print') abandon(at);
    if (step === 'print') print(byte, at);
    else if (step === 'execute') execute(byte, at);
    else if (step === 'param' && parameters.length < PARAMETER_BYTES_LIMIT) parameters += letter;
    else if (step === 'collect') intermediate = letter;
    else if (step === 'escDispatch') {
      crAt = undefined;
      writer.escape(letter, at, builder);
    } else if (step === 'csiDispatch') {
      if (isControlFunction(parameters, intermediate, letter)) {
        crAt = undefined;
        writer.control({ kind: 'control', final: letter, parameters, intermediate, at }, builder);
      } else {
        release(at);
        print(byte, at);
      }
    }
    state = stateName(nextOf(entry));
    if (state === 'ground' || state === 'escape') {
      parameters = '';
      intermediate = '';
    }
  }
  return {
    codes: [...builder.codes],
    ends: [...builder.ends],
    bells: builder.bells,
    motions: writer.motions,
    writer: writer.snapshot(),
    crBytes: crAt === undefined ? 0 : bytes.length - crAt,
  };
}
