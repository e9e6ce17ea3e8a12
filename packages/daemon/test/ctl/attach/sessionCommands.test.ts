import { describe, expect, test } from 'vitest';
import { AttachRig, FACTS } from './attachRig.ts';

const NORMAL = '\x1b[?1049l';

describe('commands', () => {
  const clients = [
    {
      client: 'claude',
      version: '1',
      reader: 'agent',
      access: 'full',
      since: '2031-01-01T00:00:00Z',
      watches: 0,
      holdsFloor: true,
      isYou: false,
    },
  ];
  const slice = { start: 0, end: 9, text: Array.from({ length: 80 }, (_, i) => `said ${i}`).join('\n') };
  const script = ({ method }: { method: string }) => {
    switch (method) {
      case 'daemon.clients':
        return { result: { clients } };
      case 'line.peek':
        return { result: { output: { ...slice, truncated: false, lines: 79 }, ...FACTS } };
      case 'line.mark':
        return { result: { offset: 3 } };
      case 'line.say':
        return { result: { clients: 1 } };
      default:
        return undefined;
    }
  };

  test.each([
    ['?', 'detach'],
    ['w', 'claude (agent): has the floor'],
    ['p', 'said 79'],
  ])(
    '%s covers the screen, output does not show through, any key is for us and brings it back',
    async (key, text) => {
      await using rig = await AttachRig.start({ script });
      rig.type(`\x05c${key}`);
      await rig.untilShown(text);
      rig.hear('<hidden>');
      rig.notify('line.said', { text: 'order', author: { client: 'x' } });
      rig.type('q');
      await rig.untilShown('<paint 2>');
      expect(rig.output.text).not.toContain('<hidden>');
      expect(rig.paramsOf('floor.request')).toEqual([]);
    },
  );

  test('p again goes further back', async () => {
    await using rig = await AttachRig.start({ script });
    rig.type('\x05cp');
    await rig.untilShown('said 79');
    expect(rig.output.text).not.toContain('said 50\x1b');
    rig.type('p');
    await rig.untilShown('said 50\x1b');
    expect(rig.paramsOf('line.peek')).toHaveLength(1);
  });

  test.each([
    ['n', 'line.mark'],
    ['m', 'line.say'],
  ])('%s asks for a text, which is not typed on the line', async (key, method) => {
    await using rig = await AttachRig.start({ script });
    rig.type(`\x05c${key}a note\x7f\x7fw\r`);
    expect(await rig.untilCalled(method)).toEqual({ text: 'a now' });
    expect(rig.paramsOf('floor.request')).toEqual([]);
    rig.type(`\x05c${key}x\x07`);
    rig.type('\x05c?');
    await rig.untilShown('this help');
    expect(rig.paramsOf(method)).toHaveLength(1);
  });

  test('a key that is no command says where help is', async () => {
    await using rig = await AttachRig.start();
    rig.type('\x05cQ');
    await rig.untilShown('^Ec? is help');
    expect(rig.paramsOf('floor.request')).toEqual([]);
  });
});

describe('the daemon goes away', () => {
  test('and comes back: painted anew, without the floor of the old connection', async () => {
    await using rig = await AttachRig.start();
    rig.type('a');
    await rig.untilCalled('line.send');
    await rig.endDaemon();
    await rig.untilShown('waiting for it to come back');
    await rig.startDaemon();
    await rig.untilShown('<paint 2>');
    rig.type('b');
    await rig.untilCalled('floor.request');
    expect(await rig.untilCalled('line.send')).toMatchObject({ input: 'b~-', token: 6 });
  });

  test('for good: the terminal is as it was, and it ends with why', async () => {
    await using rig = await AttachRig.start();
    await rig.endDaemon();
    expect(await rig.ended).toMatchObject({ kind: 'failed', error: { code: 'daemon_not_running' } });
    expect([rig.input.modes.at(-1), rig.output.text.endsWith(NORMAL)]).toEqual([false, true]);
  });

  test('meanwhile it can be left', async () => {
    await using rig = await AttachRig.start();
    await rig.endDaemon();
    await rig.untilShown('waiting for it to come back');
    rig.type('\x05c.');
    expect(await rig.ended).toEqual({ kind: 'detached' });
  });
});
