import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Script } from '../../../protocol/test/support/scriptedServer.ts';
import { readSecret, type SecretInput } from '../../src/ctl/secretTty.ts';
import { Ctl } from './runCtl.ts';

/** A terminal that is typed on by the test, and the process around it. */
class Terminal extends EventEmitter implements SecretInput {
  isRaw = false;
  isDestroyed = false;
  readonly killed: string[] = [];
  readonly signals = Object.assign(new EventEmitter(), {
    pid: 1,
    kill: (_pid: number, signal: string) => {
      this.killed.push(`${signal} ${this.isRaw ? 'raw' : 'as before'}`);
      return true;
    },
  });

  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw;
  }

  destroy(): void {
    this.isDestroyed = true;
  }

  read(signal = new AbortController().signal): Promise<string | undefined> {
    const { signals } = this;
    return readSecret({ input: this, signals: signals as unknown as NodeJS.Process, signal });
  }

  type(text: string): void {
    this.emit('data', new TextEncoder().encode(text));
  }
}

describe('C02 · reading a secret from a terminal', () => {
  test.each([
    ['hunter2\r', 'hunter2'],
    ['hunter2\nrest', 'hunter2'],
    ['huntex\u007fr\b\br2\r', 'huntr2'],
    ['nö\u007f\u007fpé\r', 'pé'],
    ['wrong\u0015right\r', 'right'],
    ['\u007f\r', ''],
    ['half\u0003', undefined],
    ['half\u0004', undefined],
  ])('%j is %j', async (typed, secret) => {
    const terminal = new Terminal();
    const read = terminal.read();
    expect(terminal.isRaw).toBe(true);
    for (const character of typed) terminal.type(character);
    expect(await read).toBe(secret);
    expect([terminal.isRaw, terminal.isDestroyed]).toEqual([false, true]);
  });

  test('a character may come in two pieces, and all of it in one', async () => {
    const terminal = new Terminal();
    const read = terminal.read();
    const [first = 0, second = 0] = new TextEncoder().encode('é');
    terminal.emit('data', Uint8Array.of(first));
    terminal.emit('data', Uint8Array.of(second, 0x0d, 0x78));
    expect(await read).toBe('é');
  });

  test.each(['SIGTERM', 'SIGHUP', 'SIGQUIT'])('the terminal is as before when %s ends it', async (signal) => {
    const terminal = new Terminal();
    const read = terminal.read();
    terminal.type('half');
    terminal.signals.emit(signal, signal);
    expect(await read).toBeUndefined();
    expect(terminal.killed).toEqual([`${signal} as before`]);
    expect(terminal.signals.eventNames()).toEqual([]);
  });

  test('… when the process ends, the terminal is gone, or the call is cancelled', async () => {
    const exiting = new Terminal();
    void exiting.read();
    exiting.signals.emit('exit');
    expect(exiting.isRaw).toBe(false);
    const gone = new Terminal();
    const lost = gone.read();
    gone.emit('error');
    expect(await lost).toBeUndefined();
    const cancel = new AbortController();
    const cancelled = new Terminal().read(cancel.signal);
    cancel.abort();
    expect(await cancelled).toBeUndefined();
    expect(await new Terminal().read(AbortSignal.abort())).toBeUndefined();
  });
});

/** A daemon of which these are asked for. */
function list(secrets: readonly object[]): Script {
  return ({ method }) => (method === 'secret.list' ? { result: { secrets } } : undefined);
}

describe('pidp10ctl secret', () => {
  const asked = {
    secret: 'k1',
    client: 'agent\u001b[2J',
    message: 'the password\nof rms',
    lastLine: 'Password: ',
    expiresAt: '2030-01-01T00:00:00.000Z',
  };

  test('A02 · lists who asks for what; nothing in it acts on the terminal', async () => {
    await using ctl = await Ctl.start(list([asked, { ...asked, secret: 'k2', session: 's3' }]));
    expect(await ctl.run(['secret'])).toBe(0);
    expect(ctl.stdout).toBe(`k1
  asked by    agent^[[2J
  typed into  the line
  stands last Password: 
  they say    the password / of rms
  until       2030-01-01T00:00:00.000Z
k2
  asked by    agent^[[2J
  typed into  session s3
  stands last Password: 
  they say    the password / of rms
  until       2030-01-01T00:00:00.000Z
`);
  });

  test('says when nobody asks, or not for that one', async () => {
    await using ctl = await Ctl.start(list([]));
    expect(await ctl.run(['secret'])).toBe(0);
    expect(ctl.stderr).toContain('nobody asks for a secret');
    expect(await ctl.run(['secret', 'k9'])).toBe(1);
    expect(ctl.stderr).toContain('nobody asks for a secret k9');
    expect(ctl.paramsOf('secret.give')).toEqual([]);
  });

  test('C02 · takes none as an argument', async () => {
    await using ctl = await Ctl.start(list([asked]));
    expect(await ctl.run(['secret', 'k1', 'hunter2'])).toBe(2);
    expect(ctl.paramsOf('secret.give')).toEqual([]);
  });
});
