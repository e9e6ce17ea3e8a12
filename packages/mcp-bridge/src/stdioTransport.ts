/**
 * MCP over standard input and output: one JSON text a line, LF out, LF or CR LF in. In place of the SDK's own transport,
 * which skips bad lines without an answer, ends the session at a line that is too long, and cannot say when an answer was
 * written. Follows https://modelcontextprotocol.io/specification, transports; batches are refused, as since 2025-06-18.
 */
import type { Readable } from 'node:stream';
import { RPC_ERRORS } from '@pidp10/protocol/errors';
import { type Frame, FrameDecoder, MAX_FRAME_BYTES } from '@pidp10/protocol/framing';
import { isRequestId, type RequestId } from '@pidp10/protocol/jsonrpc';
import type { FrameOutput } from './stdoutGuard.ts';

/** Longest line from the client in bytes; a longer one is answered with an error and skipped up to its end. */
export const MAX_LINE_BYTES = MAX_FRAME_BYTES;
/** Bytes that may wait for a client that does not read; above it none of its requests is read either. */
const MAX_QUEUED_BYTES = 8_388_608;
/** After the end of input, the time for answers that are nearly ready, in ms. A client has gone; it is not waited for. */
const END_GRACE_MS = 300;

export interface StdioTransportOptions {
  readonly input: Readable;
  readonly output: FrameOutput;
  /** Throws if the JSON is not a message of MCP. */
  readonly parse: (json: unknown) => unknown;
  /** An answer is about to be written; what is returned runs when it was. */
  readonly onAnswer: (id: RequestId, isResult: boolean) => (() => void) | undefined;
  /** Once: the client will not send or take any more. */
  readonly onEnd: () => void;
}

export class StdioTransport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: ((message: unknown) => void) | undefined;
  readonly #options: StdioTransportOptions;
  readonly #decoder = new FrameDecoder({ maxFrameBytes: MAX_LINE_BYTES });
  /** Requests that were not answered yet. */
  readonly #open = new Set<RequestId>();
  #isEnding = false;
  #isEnded = false;
  #sawHeader = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    output.onError(() => this.#end());
    output.onDrain(() => {
      input.resume();
      this.#endIfIdle();
    });
    input.on('data', (chunk: Buffer) => this.#handleData(chunk));
    input.once('end', () => this.#handleInputEnd());
    input.once('error', () => this.#handleInputEnd());
    input.once('close', () => this.#handleInputEnd());
  }

  async send(message: unknown): Promise<void> {
    const answer = toAnswer(message);
    const done = answer === undefined ? undefined : this.#options.onAnswer(answer.id, answer.isResult);
    this.#write(message, (error) => {
      if (answer !== undefined) this.#open.delete(answer.id);
      if (error === null || error === undefined) done?.();
      this.#endIfIdle();
    });
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  #handleData(chunk: Buffer): void {
    for (const frame of this.#decoder.push(chunk)) this.#handleFrame(frame);
    if (this.#options.output.queuedBytes > MAX_QUEUED_BYTES) this.#options.input.pause();
  }

  #handleFrame(frame: Frame): void {
    switch (frame.kind) {
      case 'frame':
        return this.#handleLine(frame.text);
      case 'too_long':
        return this.#refuse(
          'invalid_request',
          `A line is longer than ${frame.maxFrameBytes} bytes and was skipped.`,
        );
      case 'invalid_utf8':
        return this.#refuse('parse_error', 'A line is not UTF-8.');
      default:
        return frame satisfies never;
    }
  }

  #handleLine(text: string): void {
    if (text.trim() === '') return;
    if (/^Content-(?:Length|Type):/i.test(text)) return this.#handleHeader();
    const json = tryParse(text);
    if (json === undefined) return this.#refuse('parse_error', 'A line is not JSON.');
    let message: unknown;
    try {
      message = this.#options.parse(json.value);
    } catch {
      const problem = Array.isArray(json.value)
        ? 'Batches are not supported.'
        : 'A line is JSON, but no JSON-RPC 2.0 message.';
      return this.#refuse('invalid_request', problem, idOf(json.value));
    }
    this.#note(message);
    this.onmessage?.(message);
  }

  /** The framing of language servers: said once, since every message of such a client has it. */
  #handleHeader(): void {
    if (this.#sawHeader) return;
    this.#sawHeader = true;
    const problem =
      'MCP on stdio has no Content-Length headers: send each JSON text on a line of its own, ended by a newline.';
    this.#refuse('parse_error', problem);
  }

  /** An id in use belongs to the request that is running: that one is still to be answered. */
  #refuse(name: 'parse_error' | 'invalid_request', problem: string, id?: RequestId): void {
    const isFree = id !== undefined && !this.#open.has(id);
    this.#write({
      jsonrpc: '2.0',
      id: isFree ? id : null,
      error: { code: RPC_ERRORS[name].code, message: problem },
    });
  }

  #note(message: unknown): void {
    if (!isRecord(message) || typeof message['method'] !== 'string') return;
    if (isRequestId(message['id'])) this.#open.add(message['id']);
    const { params } = message;
    // A request that was cancelled is not answered any more.
    if (message['method'] !== 'notifications/cancelled' || !isRecord(params)) return;
    if (isRequestId(params['requestId'])) this.#open.delete(params['requestId']);
  }

  #write(message: unknown, done?: (error?: Error | null) => void): void {
    this.#options.output.write(`${toWellFormed(JSON.stringify(message))}\n`, done);
  }

  #handleInputEnd(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    setTimeout(() => this.#end(), END_GRACE_MS);
    this.#endIfIdle();
  }

  #endIfIdle(): void {
    if (this.#isEnding && this.#open.size === 0 && this.#options.output.queuedBytes === 0) this.#end();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#options.onEnd();
  }
}

/** `JSON.stringify` writes half a character as an escape; the reader would turn it into half a character again. */
function toWellFormed(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (escape) =>
    escape.length === 6 ? '\\ufffd' : escape,
  );
}

function toAnswer(message: unknown): { readonly id: RequestId; readonly isResult: boolean } | undefined {
  if (!isRecord(message) || 'method' in message) return undefined;
  const id = message['id'];
  return isRequestId(id) ? { id, isResult: 'result' in message } : undefined;
}

function idOf(value: unknown): RequestId | undefined {
  return isRecord(value) && isRequestId(value['id']) ? value['id'] : undefined;
}

function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
