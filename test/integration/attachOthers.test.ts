/** What an attached terminal can do to the line, to the daemon and to the other clients without wanting to: nothing. */
import { startFakeline } from '@pidp10/fakeline';
import type { MethodInput, MethodName } from '@pidp10/protocol/methods';
import { DaemonClient } from '@pidp10/protocol/node/daemonClient';
import { describe, expect, test } from 'vitest';
import { HAS_TMUX, pidOf, startAttached, untilSame } from '../support/attached.ts';
import { startLoggedIn, typedSince } from '../support/itsRig.ts';
import { eventually, residentBytes } from '../support/processes.ts';

/** Everything that a terminal might answer, do or remember. */
const HOSTILE = [
  '\x1bZ', // VT52: identify
  '\x1b[c\x1b[>c\x1b[=c', // DA
  '\x1b[5n\x1b[6n\x1b[?6n', // DSR
  '\x1b[?2004$p\x1b[?1004$p', // DECRQM
  '\x1b[?1004h\x1b[?1000h\x1b[?1003h\x1b[?1006h', // focus, mouse
  '\x1b[?2004h\x1b[?1049l\x1b[r\x1b[?25l',
  '\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b]52;c;?\x07\x1b]11;?\x07\x1b]8;;http://x/\x07',
  '\x1bP$qm\x1b\\\x1bP+q544e\x1b\\',
  '\x9b6n\x9d52;c;?\x07\x05\x0e',
  '\x1b[21t\x1b[14t\x1b[18t',
].join('');

const MIB = 1_048_576;
/** D13. */
const PROMPT_ANSWER_MS = 50;
const CALLS = 200;
/** Two hundred times what an ITS line gives; as fast as it goes, the flood itself would be what is measured. */
const FLOOD_BYTES_PER_SECOND = 2_000_000;

/** Everything that asks and changes nothing. */
const QUESTIONS: readonly ((client: DaemonClient) => Promise<unknown>)[] = [
  ask('daemon.status', {}),
  ask('daemon.clients', {}),
  ask('line.status', {}),
  ask('line.peek', { chars: 100 }),
  ask('line.screen', {}),
  ask('line.history', { limit: 10 }),
  ask('floor.status', {}),
  ask('reader.list', {}),
];

function ask<M extends MethodName>(method: M, input: MethodInput<M>) {
  return (client: DaemonClient): Promise<unknown> => client.request(method, input);
}

describe.runIf(HAS_TMUX)('attach', () => {
  test('W14 · W06: what the line asks of its viewers is answered by none of them, and changes nothing for them', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await using tmux = await startAttached(rig);
    await untilSame(tmux, rig);
    const heard: string[] = [];
    await using viewers = await DaemonClient.connect({
      socket: rig.sandbox.socket(),
      client: { name: 'viewers', version: '0' },
      access: 'read',
      onNotification: (name, params) => void heard.push(JSON.stringify([name, params])),
    });
    for (const form of ['text', 'ansi', 'bytes'] as const) await viewers.request('line.watch', { form });
    const before = line.receivedBytes().length;
    line.send(`${HOSTILE}\r\nall was asked`);
    await tmux.untilShown('what stands behind it', (rows) =>
      rows.some((row) => row.includes('all was asked')),
    );
    await untilSame(tmux, rig);
    await eventually('three forms', () => heard.filter((each) => each.includes('line.output')).length >= 3);
    // A key of the user comes behind anything that his terminal would have answered.
    await rig.client.request('floor.release', {}).catch(() => undefined);
    await tmux.type('x');
    await eventually('the key', () => typedSince(line, before).includes('x'));
    expect(typedSince(line, before)).toBe('x');
    expect(await tmux.isAlternate()).toBe(true);
    expect(await tmux.title()).not.toContain('owned');
    expect(await tmux.modes()).toEqual({ mouse: '0', cursor: '1' });
  });

  test('D13 · I7: one that is stopped wedges nobody while the line floods, and shows the truth when it goes on', async () => {
    await using line = await startFakeline();
    await using rig = await startLoggedIn(line);
    await using tmux = await startAttached(rig);
    await untilSame(tmux, rig);
    const pid = await pidOf(rig);
    process.kill(pid, 'SIGSTOP');
    const { end: begin } = await rig.client.request('line.status', {});
    const memory = residentBytes(rig.daemon.pid);
    line.faults.set('flood', FLOOD_BYTES_PER_SECOND);
    await eventually('a flood', async () => {
      return (await rig.client.request('line.status', {})).end > begin + 3 * MIB;
    });
    const times: number[] = [];
    for (let index = 0; index < CALLS; index += 1) {
      const startMs = performance.now();
      await QUESTIONS[index % QUESTIONS.length]?.(rig.client);
      times.push(performance.now() - startMs);
    }
    times.sort((a, b) => a - b);
    expect(times[Math.floor(CALLS * 0.99) - 1]).toBeLessThanOrEqual(PROMPT_ANSWER_MS);
    expect(residentBytes(rig.daemon.pid) - memory).toBeLessThan(64 * MIB);
    line.faults.clear('flood');
    // The shell has taken the terminal back meanwhile, raw as it is, and says so in the midst of the screen.
    await tmux.type('fg\n');
    await untilSame(tmux, rig);
    line.send('\r\nthe end of it');
    await tmux.untilShown('the end', (rows) => rows.some((row) => row.includes('the end of it')));
  });
});
