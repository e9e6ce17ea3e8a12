/**
 * Telnet codec for a terminal line (RFC 854 framing): data bytes out of IAC commands, and data bytes into the line.
 *
 * It never answers a negotiation: the multiplexer of simh starts in a binary mode that passes every byte, and any
 * WILL/WONT/DO/DONT of ours could change that (sim_tmxr.c). On a raw line (simh `notelnet`) 0xFF is data both ways.
 */

export const TELNET_MODES = ['auto', 'on', 'off'] as const;
export type TelnetMode = (typeof TELNET_MODES)[number];
/** `unknown` until the first byte of a connection has decided an `auto` line. */
export type Codec = 'unknown' | 'telnet' | 'raw';

export interface TelnetSnapshot {
  readonly codec: Codec;
  readonly state: DecoderState;
  readonly negotiations: number;
}

/** Where the decoder stands between two bytes; RFC 854's command structure and nothing else. */
type DecoderState = 'data' | 'command' | 'option' | 'subnegotiation' | 'subnegotiationCommand';

const IAC = 0xff;
const SB = 0xfa;
const SE = 0xf0;
const FIRST_NEGOTIATION = 0xfb; // WILL, WONT, DO, DONT are 0xFB to 0xFE and take one option byte

export class TelnetCodec {
  #codec: Codec;
  #state: DecoderState;
  #negotiations: number;

  constructor(mode: TelnetMode, snapshot?: TelnetSnapshot) {
    this.#codec = snapshot?.codec ?? (mode === 'auto' ? 'unknown' : mode === 'on' ? 'telnet' : 'raw');
    this.#state = snapshot?.state ?? 'data';
    this.#negotiations = snapshot?.negotiations ?? 0;
  }

  get codec(): Codec {
    return this.#codec;
  }

  /** Option negotiations seen on this connection; the greeting of a telnet-mode line has five. */
  get negotiations(): number {
    return this.#negotiations;
  }

  /** Data bytes of `chunk`. An `auto` line is decided by its first byte: the multiplexer's greeting begins with IAC. */
  decode(chunk: Uint8Array): Uint8Array {
    if (this.#codec === 'unknown' && chunk.length > 0) this.#codec = chunk[0] === IAC ? 'telnet' : 'raw';
    if (this.#codec === 'raw') return chunk;
    if (this.#state === 'data' && chunk.indexOf(IAC) < 0) return chunk;
    const data = new Uint8Array(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      if (this.#isData(byte)) data[length++] = byte;
    }
    return data.subarray(0, length);
  }

  /** Bytes for the socket: 0xFF doubled where IAC has a meaning, so that a lone one can never make the line deaf. */
  encode(data: Uint8Array): Uint8Array {
    if (this.#codec !== 'telnet' || data.indexOf(IAC) < 0) return data;
    const out: number[] = [];
    for (const byte of data) {
      if (byte === IAC) out.push(IAC);
      out.push(byte);
    }
    return Uint8Array.from(out);
  }

  snapshot(): TelnetSnapshot {
    return { codec: this.#codec, state: this.#state, negotiations: this.#negotiations };
  }

  #isData(byte: number): boolean {
    switch (this.#state) {
      case 'data':
        if (byte !== IAC) return true;
        this.#state = 'command';
        return false;
      case 'command':
        this.#state =
          byte === SB ? 'subnegotiation' : byte >= FIRST_NEGOTIATION && byte !== IAC ? 'option' : 'data';
        return byte === IAC;
      case 'option':
        this.#negotiations += 1;
        this.#state = 'data';
        return false;
      case 'subnegotiation':
        if (byte === IAC) this.#state = 'subnegotiationCommand';
        return false;
      case 'subnegotiationCommand':
        this.#state = byte === SE ? 'data' : 'subnegotiation';
        return false;
      default:
        return this.#state satisfies never;
    }
  }
}
