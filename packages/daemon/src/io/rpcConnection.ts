/**
 * One client's connection: frames of the socket to and from a peer, with a limit on everything a client could do to us by
 * sending half of something or by not reading.
 */
import type { Socket } from 'node:net';
import { LocalError } from '@pidp10/protocol/errors';
import { FrameDecoder } from '@pidp10/protocol/framing';
import type { RequestHandler } from '@pidp10/protocol/incomingRequests';
import { RpcPeer } from '@pidp10/protocol/rpcPeer';

/** A frame that began and does not end for so long, in ms, is given up with its connection. */
export const FRAME_TIMEOUT_MS = 10_000;
/** Bytes of answers that a client may leave unread: some answers of the largest size. A slower one is dropped. */
export const MAX_UNREAD_BYTES = 16 * 1_048_576;
/** A client that takes nothing of what was sent for so long, in ms, is dropped (D12). */
export const STUCK_TIMEOUT_MS = 300_000;

export interface RpcConnectionOptions {
  readonly socket: Socket;
  readonly handler: RequestHandler;
  readonly onFault: (error: unknown, method: string) => void;
  readonly onClose: () => void;
  /** Default: `FRAME_TIMEOUT_MS`. */
  readonly frameTimeoutMs?: number;
  /** Default: `STUCK_TIMEOUT_MS`. */
  readonly stuckTimeoutMs?: number;
}

export interface RpcConnection {
  /** Bytes that the client has not taken yet. */
  readonly unsentBytes: number;
  /** Calls that are not answered yet. */
  readonly callsUnderWay: number;
  /** Does nothing after closing. */
  notify(method: string, params: unknown): void;
  /** Runs `callback` once, when the client has taken everything; never after closing. */
  whenDrained(callback: () => void): void;
  /** Ends it after what was answered has gone out. */
  close(): void;
}

export function serveConnection(options: RpcConnectionOptions): RpcConnection {
  const { socket, handler, onFault, onClose } = options;
  const { frameTimeoutMs = FRAME_TIMEOUT_MS, stuckTimeoutMs = STUCK_TIMEOUT_MS } = options;
  const decoder = new FrameDecoder();
  let frameTimer: NodeJS.Timeout | undefined;
  let stuckTimer: NodeJS.Timeout | undefined;
  let drained: (() => void)[] = [];
  const drop = (why: string) => {
    peer.close(new LocalError('connection_lost', why));
    socket.destroy();
  };
  const dropStuck = () => drop(`The client has taken nothing for ${stuckTimeoutMs} ms.`);
  const peer = new RpcPeer({
    handler,
    onFault,
    send: (text) => {
      socket.write(`${text}\n`, () => {
        clearTimeout(stuckTimer);
        stuckTimer = undefined;
        if (socket.destroyed) return;
        if (socket.writableLength > 0) stuckTimer = setTimeout(dropStuck, stuckTimeoutMs).unref();
        else for (const callback of drained.splice(0)) callback();
      });
      if (socket.writableLength > 0) stuckTimer ??= setTimeout(dropStuck, stuckTimeoutMs).unref();
      if (socket.writableLength > MAX_UNREAD_BYTES) {
        drop(`The client left ${socket.writableLength} bytes unread.`);
      }
    },
    onClose: () => socket.destroySoon(),
  });
  const giveUp = () => drop(`A frame was not finished in ${frameTimeoutMs} ms.`);
  socket.on('data', (chunk: Buffer) => {
    const frames = decoder.push(chunk);
    for (const frame of frames) peer.handleFrame(frame);
    if (frames.length > 0 || !decoder.hasPartial) {
      clearTimeout(frameTimer);
      frameTimer = undefined;
    }
    if (decoder.hasPartial) frameTimer ??= setTimeout(giveUp, frameTimeoutMs).unref();
  });
  socket.on('error', () => undefined); // `close` follows, and says all there is to say
  socket.once('end', () => peer.close());
  socket.once('close', () => {
    clearTimeout(frameTimer);
    clearTimeout(stuckTimer);
    drained = [];
    peer.close();
    onClose();
  });
  return {
    get unsentBytes() {
      return socket.writableLength;
    },
    get callsUnderWay() {
      return peer.inFlight;
    },
    notify: (method, params) => peer.notify(method, params),
    whenDrained: (callback) => {
      if (peer.isClosed) return;
      if (socket.writableLength > 0) drained.push(callback);
      else queueMicrotask(() => (peer.isClosed ? undefined : callback()));
    },
    close: () => peer.close(),
  };
}
