/** What comes in on stdin and goes out on stdout, byte by byte. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeline } from '@pidp10/fakeline';
import { describe, expect, it } from 'vitest';
import { peakMemory, RawBridge, type RawFrame } from '../support/bridgeClient.ts';
import { BIN, Sandbox } from '../support/sandbox.ts';

/** Longest line, in bytes. */
const LIMIT = 1_048_576;
/** Node frees the buffers that it reads into when some 32 MiB have gathered. A line that was kept would cost 50 MB more. */
const SLACK_BYTES = 48_000_000;

/** Answers that name no request. */
function nameless(bridge: RawBridge): RawFrame[] {
  return bridge.frames.filter(({ id, method }) => id === null && method === undefined);
}

async function untilNameless(bridge: RawBridge, count: number): Promise<RawFrame[]> {
  await bridge.program.until(`${count} errors`, () => nameless(bridge).length >= count);
  return nameless(bridge);
}

describe('stdout', () => {
  it('M04 · carries nothing but frames, whatever a module prints in whatever way', async () => {
    await using line = await startFakeline();
    await using sandbox = await Sandbox.create();
    await sandbox.daemon();
    const preload = join(sandbox.folder, 'preload.cjs');
    // Begins when our program registers its first signal, and never stops: while modules load, and during calls.
    writeFileSync(
      preload,
      `const fs = require('node:fs');
      const print = () => {
        console.log('BANNER console.log'); console.info('BANNER info'); console.table([1]);
        process.stdout.write('BANNER stdout\\n');
        fs.writeSync(1, 'BANNER writeSync\\n'); fs.write(1, 'BANNER write\\n', () => {});
        fs.writevSync(1, [Buffer.from('BANNER writev\\n')]); fs.appendFileSync(1, 'BANNER append\\n');
        fs.writeFileSync(1, 'BANNER writeFile\\n'); process._rawDebug('BANNER raw');
        fs.createWriteStream('', { fd: 1, autoClose: false }).write('BANNER stream\\n');
        new Buffer(1); process.emitWarning('BANNER', 'DeprecationWarning');
      };
      process.on('newListener', function begin(name) {
        if (name !== 'SIGTERM') return;
        process.removeListener('newListener', begin);
        print();
        setInterval(print, 20).unref();
      });`,
    );
    const bridge = await RawBridge.start(sandbox, {
      args: ['--host', '127.0.0.1', '--port', String(line.port)],
      nodeArgs: ['--require', preload],
      env: { NODE_DEBUG: 'net,fs', DEBUG: '*' },
    });
    expect((await bridge.call('open')).isError).toBe(false);
    expect((await bridge.call('send', { input: '~z' })).reason).toBe('prompt');
    expect(bridge.frames.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(bridge.program.stdout).not.toContain('BANNER');
    for (const way of [
      'console.log',
      'stdout',
      'writeSync',
      'write',
      'writev',
      'append',
      'writeFile',
      'stream',
    ]) {
      expect(bridge.program.stderr).toContain(`BANNER ${way}\n`);
    }
  });

  it('shows the help and the version on stdout, where people look for them', async () => {
    await using sandbox = await Sandbox.create();
    const help = sandbox.run(BIN.bridge, { args: ['--help'] });
    expect((await help.exited).code).toBe(0);
    for (const flag of [
      '--name',
      '--socket',
      '--state-dir',
      '--host',
      '--port',
      '--reader',
      '--no-spawn',
      '--version',
    ]) {
      expect(help.stdout).toContain(flag);
    }
    const version = sandbox.run(BIN.bridge, { args: ['--version'] });
    await version.exited;
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const wrong = sandbox.run(BIN.bridge, { args: ['--porter', '1'] });
    expect((await wrong.exited).code).toBe(2);
    expect(wrong.stdout).toBe('');
    expect(wrong.stderr).toContain('porter');
  });
});

describe('stdin', () => {
  it('M12 · a malformed line is answered with -32700 and an odd one with -32600; empty lines are ignored', async () => {
    await using sandbox = await Sandbox.create();
    const bridge = await RawBridge.start(sandbox);
    bridge.write('{"jsonrpc": "2.0", "id": 7,\n\n   \n\r\n');
    bridge.write('hello\n');
    bridge.write(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]));
    const malformed = await untilNameless(bridge, 3);
    expect(malformed.map(({ error }) => error?.code)).toEqual([-32_700, -32_700, -32_700]);
    bridge.write(
      '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n5\nnull\n{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n',
    );
    const odd = (await untilNameless(bridge, 7)).slice(3);
    expect(odd.map(({ error }) => error?.code)).toEqual([-32_600, -32_600, -32_600, -32_600]);
    bridge.write('{"id":"named","method":"ping"}\n');
    expect((await bridge.answer('named')).error?.code).toBe(-32_600);
    expect((await bridge.request('ping')).result).toEqual({});
    expect(nameless(bridge)).toHaveLength(7);
  });

  it('M12 · answers whole requests that come a byte at a time, and several that come at once', async () => {
    await using sandbox = await Sandbox.create();
    const bridge = await RawBridge.start(sandbox);
    for (const byte of Buffer.from('{"jsonrpc":"2.0","id":"slow\u00e9","method":"ping"}\n')) {
      bridge.write(Uint8Array.of(byte));
    }
    expect((await bridge.answer('slow\u00e9')).result).toEqual({});
    bridge.write(
      Array.from({ length: 50 }, (_, id) => `{"jsonrpc":"2.0","id":"p${id}","method":"ping"}\n`).join(''),
    );
    await bridge.answer('p49');
    expect(bridge.frames.filter(({ id }) => String(id).startsWith('p'))).toHaveLength(50);
  });

  it('M13 · CR LF is accepted; LF alone goes out', async () => {
    await using sandbox = await Sandbox.create();
    const bridge = await RawBridge.start(sandbox);
    bridge.write('{"jsonrpc":"2.0","id":"crlf","method":"ping"}\r\n');
    bridge.write('{"jsonrpc":"2.0","id":"list","method":"tools/list"}\r\n');
    expect((await bridge.answer('crlf')).result).toEqual({});
    expect((await bridge.answer('list')).result).toBeDefined();
    expect(bridge.program.stdout).not.toContain('\r');
  });

  it.each([
    ['one write', 1],
    ['pieces', 7],
  ])(
    'M14 · lines at the limit and past it, in %s: an error for the long one, then all goes on',
    async (_how, pieces) => {
      await using sandbox = await Sandbox.create();
      const bridge = await RawBridge.start(sandbox);
      for (const [index, bytes] of [LIMIT - 1, LIMIT].entries()) {
        writeIn(bridge, paddedPing(`fits${index}`, bytes), pieces);
        expect((await bridge.answer(`fits${index}`)).result).toEqual({});
      }
      // The next request is in the same chunk as the end of the line that is too long.
      writeIn(
        bridge,
        `${paddedPing('long', LIMIT + 1)}{"jsonrpc":"2.0","id":"next","method":"ping"}\n`,
        pieces,
      );
      expect((await bridge.answer('next')).result).toEqual({});
      expect(nameless(bridge).map(({ error }) => error?.code)).toEqual([-32_600]);
      expect(nameless(bridge)[0]?.error?.message).toContain(String(LIMIT));
      expect(bridge.find('long')).toBeUndefined();
    },
  );

  it('M14 · fifty megabytes in one line cost one error and no memory', async () => {
    await using sandbox = await Sandbox.create();
    const bridge = await RawBridge.start(sandbox);
    // What the limit itself costs comes first.
    writeIn(bridge, paddedPing('fits', LIMIT), 1);
    await bridge.answer('fits');
    const before = peakMemory(bridge.program.pid);
    for (const pieces of [1, 1_000, 1, 1_000]) writeIn(bridge, paddedPing('long', 50_000_000), pieces);
    expect((await bridge.request('ping')).result).toEqual({});
    expect(peakMemory(bridge.program.pid) - before).toBeLessThan(SLACK_BYTES);
    expect(nameless(bridge)).toHaveLength(4);
  });

  it('M15 · a Content-Length header gets one clear error, and a client that stops sending it is served', async () => {
    await using sandbox = await Sandbox.create();
    const bridge = await RawBridge.start(sandbox);
    const body = '{"jsonrpc":"2.0","id":"lsp","method":"ping"}';
    bridge.write(
      `Content-Length: ${body.length}\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n${body}\n`,
    );
    expect((await bridge.answer('lsp')).result).toEqual({});
    bridge.write('Content-Length: 2\r\n\r\n');
    expect((await bridge.request('ping')).result).toEqual({});
    const errors = nameless(bridge);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.error?.code).toBe(-32_700);
    expect(errors[0]?.error?.message).toMatch(/no Content-Length headers.*a line of its own/);
  });
});

/** A ping of exactly so many bytes without its newline. */
function paddedPing(id: string, bytes: number): string {
  const head = `{"jsonrpc":"2.0","id":"${id}","method":"ping","params":{"pad":"`;
  return `${head}${'x'.repeat(bytes - head.length - 3)}"}}\n`;
}

function writeIn(bridge: RawBridge, text: string, pieces: number): void {
  const size = Math.ceil(text.length / pieces);
  for (let at = 0; at < text.length; at += size) bridge.write(text.slice(at, at + size));
}
