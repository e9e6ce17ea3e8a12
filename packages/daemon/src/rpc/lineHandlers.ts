/** Handlers of the line: open, send, read, peek, status, close. */
import { rpcError } from '@pidp10/protocol/errors';
import { expandEscapes } from '@pidp10/protocol/escapes';
import type { MethodParams, MethodResult } from '@pidp10/protocol/methods';
import type { Outcome } from '@pidp10/protocol/schemas';
import type { Expectation } from '../core/events.ts';
import { compilePattern } from '../core/pattern/pattern.ts';
import { CallQueue } from './callQueue.ts';
import type { Handlers } from './dispatch.ts';
import { hintFor } from './hints.ts';
import type { LineService, WaitRequest } from './lineService.ts';
import { type AnswerOptions, newest, toFacts, toOutcome, toSlice } from './outcome.ts';
import type { Call } from './session.ts';

export interface LineDefaults {
  readonly host: string;
  readonly port: number;
  readonly bits: 7 | 8;
}

type LineMethod = 'line.open' | 'line.send' | 'line.read' | 'line.peek' | 'line.status' | 'line.close';

const UNTOUCHED: AnswerOptions = { tidy: true, echo: 'keep', maxChars: 20_000 };

export function createLineHandlers(line: LineService, defaults: LineDefaults): Pick<Handlers, LineMethod> {
  const queue = new CallQueue();

  /** Begins a wait for the caller's reader in its turn, and makes the answer. */
  const answer = async (
    call: Call,
    request: (reader: string) => WaitRequest,
    options: AnswerOptions & WaitingOptions,
  ): Promise<Outcome> => {
    const reader = call.session.reader ?? call.session.id;
    const { signal } = call;
    const outcome = await queue.run(reader, { signal, patienceMs: options.returnAfterMs }, async () => {
      const { id, settled } = line.wait(request(reader), signal);
      using _progress = reportProgress(line, call, id, options.progressEveryMs);
      return toOutcome(line, await settled, options);
    });
    if (outcome.kind === 'gaveUp') return notBegun(line, reader, outcome.isCancelled);
    const { result } = outcome;
    if (call.session.commit === 'auto') {
      call.afterSend(() => line.channel.conversation.readers.commit(reader, result.output.end));
    }
    const hint = hintFor(line, result);
    return hint === undefined ? result : { ...result, hint };
  };

  return {
    'line.open': (params, call) => {
      const { host = defaults.host, port = defaults.port, timeoutMs } = params;
      return answer(call, (reader) => ({ kind: 'open', reader, host, port, timeoutMs }), UNTOUCHED);
    },

    'line.send': async (params, call) => {
      const expansion = expandEscapes(params.input, { bits: defaults.bits, raw: params.raw });
      if (expansion.kind === 'refused') {
        throw rpcError(expansion.error, `${expansion.message} Nothing was sent.`, {
          position: expansion.position,
        });
      }
      const expectation = toExpectation(params);
      const { bytes } = expansion;
      if (params.dryRun) return dryRun(line, bytes);
      return answer(call, (reader) => ({ kind: 'send', reader, bytes, expectation }), params);
    },

    'line.read': async (params, call) => {
      const expectation = toExpectation(params);
      const { from } = params;
      const request = { kind: 'read', expectation, ...(from !== undefined && { from }) } as const;
      return answer(call, (reader) => ({ ...request, reader }), { ...params, echo: 'keep' });
    },

    'line.peek': ({ chars }) => {
      const { oldest, safeEnd } = line.channel.conversation.scrollback;
      const { span } = newest(line, { start: Math.min(oldest, safeEnd), end: safeEnd }, chars);
      return {
        output: toSlice(line, { span, isCut: span.start > 0 }, false),
        ...toFacts(line),
      };
    },

    'line.status': (_params, call) => statusOf(line, call),

    'line.close': (_params, call) => {
      line.close();
      return statusOf(line, call);
    },
  };
}

interface WaitingOptions {
  readonly returnAfterMs?: number | undefined;
  readonly progressEveryMs?: number | undefined;
}

function toExpectation(params: MethodParams<'line.send'> | MethodParams<'line.read'>): Expectation {
  const { expect, timeoutMs, quietMs, settleMs, returnAfterMs, autoMore, maxChars } = params;
  if (expect !== undefined) {
    const compiled = compilePattern(expect);
    if (compiled.kind === 'invalid') {
      const detail = `expect, at position ${compiled.position}: ${compiled.message}. Nothing was sent.`;
      throw rpcError('pattern_invalid', detail, { position: compiled.position });
    }
  }
  return {
    ...(expect !== undefined && { pattern: expect }),
    timeoutMs,
    quietMs,
    settleMs,
    ...(returnAfterMs !== undefined && { returnAfterMs }),
    autoMore,
    maxChars,
  };
}

function reportProgress(
  line: LineService,
  call: Call,
  waitId: string,
  everyMs: number | undefined,
): Disposable {
  if (everyMs === undefined) return { [Symbol.dispose]: () => {} };
  const { conversation } = line.channel;
  const bornMs = line.nowMs();
  const { end } = conversation.scrollback;
  return line.every(everyMs, () => {
    const sent = conversation.sentBytes(waitId);
    call.sendProgress({
      elapsedMs: Math.round(line.nowMs() - bornMs),
      bytes: conversation.scrollback.end - end,
      ...(sent !== undefined && { sent }),
    });
  });
}

/** A call that gave up before its turn came: nothing was sent, nothing was read. */
function notBegun(line: LineService, reader: string, isCancelled: boolean): Outcome {
  const { readers, scrollback } = line.channel.conversation;
  const at = readers.cursor(reader) ?? scrollback.end;
  return {
    reason: isCancelled ? 'cancelled' : 'still_waiting',
    output: { start: at, end: at, text: '', truncated: false, lines: 0 },
    accepted: 0,
    sent: 0,
    remaining: scrollback.end - at,
    hint: 'An earlier call of the same reader is still running; this one was not begun and nothing was sent.',
    ...toFacts(line),
  };
}

function dryRun(line: LineService, bytes: Uint8Array): MethodResult<'line.send'> {
  const warnings: string[] = [];
  const { state } = line.channel.facts;
  if (state !== 'open') warnings.push(`The line is ${state}: a real send would be refused.`);
  const call = bytes.indexOf(0x1a);
  if (call >= 0 && bytes.subarray(call + 1).some((byte) => byte !== 0x0d)) {
    warnings.push(
      'Text behind ^Z in one send may be discarded before DDT has answered: send ~z alone first.',
    );
  }
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { dryRun: { hex, bytes: bytes.length, warnings } };
}

function statusOf(line: LineService, { session }: Call): MethodResult<'line.status'> {
  const { channel } = line;
  const { conversation } = channel;
  const { end, oldest } = conversation.scrollback;
  const offset = session.reader === undefined ? undefined : conversation.readers.cursor(session.reader);
  const { lastByteMs } = conversation;
  const nowMs = line.nowMs();
  const advice = adviceFor(line);
  return {
    ...toFacts(line),
    end,
    oldest,
    ...(offset !== undefined && {
      reader: { name: session.reader ?? session.id, offset, unread: end - offset },
    }),
    ...(channel.facts.state === 'open' && { uptimeMs: Math.round(nowMs - channel.stateSinceMs) }),
    ...(lastByteMs !== undefined && { msSinceLastByte: Math.round(nowMs - lastByteMs) }),
    bytesIn: line.bytesIn,
    bytesOut: conversation.bytesOut,
    pendingBytes: conversation.pendingBytes,
    ...(advice !== undefined && { advice }),
    ...(channel.facts.state === 'open' && { connectedAt: wallClock(line, channel.stateSinceMs) }),
    ...(channel.facts.state === 'dead' && { diedAt: wallClock(line, channel.stateSinceMs) }),
  };
}

function wallClock(line: LineService, atMs: number): string {
  return new Date(Date.now() - (line.nowMs() - atMs)).toISOString();
}

function adviceFor(line: LineService): string | undefined {
  const { facts, hasSpoken } = line.channel;
  if (facts.state === 'open' && hasSpoken === false) {
    return 'Nothing has come since the greeting. The line may be free (send ~z), or hold an earlier session that waits for input.';
  }
  return facts.state === 'connecting' && facts.phase === 'greeting'
    ? 'TCP is up, but the simulator has not greeted yet: it may be halted. Open again to wait on, or close.'
    : undefined;
}
