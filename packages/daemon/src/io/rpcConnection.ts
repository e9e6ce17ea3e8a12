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

export interface RpcConnectionOptions {
  readonly socket: Socket;
  readonly handler: RequestHandler;
  readonly onFault: (error: unknown, method: string) => void;
  readonly onClose: () => void;
  /** Default: `FRAME_TIMEOUT_MS`. */
  readonly frameTimeoutMs?: number;
}

export interface RpcConnection {
  /** Ends it after what was answered has gone out. */
  close(): void;
}

export function serveConnection(options: RpcConnectionOptions): RpcConnection {
  const { socket, handler, onFault, onClose, frameTimeoutMs = FRAME_TIMEOUT_MS } = options;
  const decoder = new FrameDecoder();
  let frameTimer: NodeJS.Timeout | undefined;
  const peer = new RpcPeer({
    handler,
    onFault,
    send: (text) => {
      socket.write(`${text}\n`);
      if (socket.writableLength > MAX_UNREAD_BYTES) {
        peer.close(
          new LocalError('connection_lost', `The client left ${socket.writableLength} bytes unread.`),
        );
        socket.destroy();
      }
    },
    onClose: () => socket.destroySoon(),
  });
  const giveUp = () => {
    peer.close(new LocalError('connection_lost', `A frame was not finished in ${frameTimeoutMs} ms.`));
    socket.destroy();
  };
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
    peer.close();
    onClose();
  });
  return { close: () => peer.close() };
}
