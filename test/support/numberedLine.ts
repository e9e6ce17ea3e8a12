/**
 * A line that says numbered lines at the rate it is told, echoes what is typed, and keeps all that it has sent: a witness of
 * what should stand in the daemon's files, byte for byte. Only for `--telnet off`.
 */
import { type ScriptedConnection, startScripted } from '@pidp10/fakeline';

/** A line's text behind its number. */
const FILLER = ' the quick brown fox jumps over the lazy dog\r\n';
const DIGITS = 8;
const TICK_MS = 5;

export interface NumberedLine extends AsyncDisposable {
  readonly port: number;
  /** About; may be changed at any time. */
  bytesPerSecond: number;
  /** What each connection was sent, in the order of their beginnings. */
  readonly sent: readonly Buffer[];
  /** Resolves right when so much more was sent. */
  whenSent(bytes: number): Promise<void>;
}

export async function startNumberedLine(bytesPerSecond: number): Promise<NumberedLine> {
  const logs: Buffer[][] = [];
  const waiters = new Set<{ bytes: number; readonly resolve: () => void }>();
  let number = 0;
  const server = await startScripted({
    onConnect: async (connection) => {
      const log: Buffer[] = [];
      logs.push(log);
      const echo = echoOf(connection);
      while (!connection.isEnded) {
        const lines: string[] = [];
        const bytes = (line.bytesPerSecond * TICK_MS) / 1_000;
        for (let made = 0; made < bytes; made += DIGITS + FILLER.length) {
          lines.push(`${String(number).padStart(DIGITS, '0')}${FILLER}`);
          number += 1;
        }
        const piece = Buffer.concat([echo(), Buffer.from(lines.join(''))]);
        log.push(piece);
        connection.write(piece);
        for (const waiter of waiters) {
          waiter.bytes -= piece.length;
          if (waiter.bytes > 0) continue;
          waiters.delete(waiter);
          waiter.resolve();
        }
        await new Promise((resolve) => {
          setTimeout(resolve, TICK_MS);
        });
      }
    },
  });
  const line: NumberedLine = {
    port: server.port,
    bytesPerSecond,
    get sent() {
      return logs.map((log) => Buffer.concat(log));
    },
    whenSent: (bytes) =>
      new Promise((resolve) => {
        waiters.add({ bytes, resolve });
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return line;
}

/** What was typed since the last call. */
function echoOf(connection: ScriptedConnection): () => Buffer {
  let echoed = 0;
  return () => {
    const typed = Buffer.from(connection.received.subarray(echoed));
    echoed = connection.received.length;
    return typed;
  };
}
