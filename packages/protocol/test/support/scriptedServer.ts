import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { PROTOCOL } from '../../src/common/version.ts';

export interface ScriptedMessage {
  readonly id?: string | number;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

export const HELLO = {
  protocol: { ...PROTOCOL },
  daemon: { version: '0.1.0', pid: 4242, name: 'line' },
  capabilities: ['line'],
  epoch: 'e1',
};

type Answer = 'silence' | { readonly result: unknown } | { readonly error: unknown };

/** What a message is answered with; undefined: hello if it is that, else nothing. */
export type Script = (message: ScriptedMessage, socket: Socket) => Answer | undefined;

export interface ScriptedServer extends AsyncDisposable {
  readonly received: ScriptedMessage[];
  readonly sockets: ReadonlySet<Socket>;
}

/** A JSON-RPC server of a dozen lines that shares no code with what it tests. */
export async function startServer(path: string, script: Script = () => undefined): Promise<ScriptedServer> {
  const received: ScriptedMessage[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const message: ScriptedMessage = JSON.parse(line);
        received.push(message);
        const answer =
          script(message, socket) ?? (message.method === 'hello' ? { result: HELLO } : 'silence');
        if (answer === 'silence') continue;
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer })}\n`);
      }
    });
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    received,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
