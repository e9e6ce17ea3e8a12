import { describe, expect, test } from 'vitest';
import { DEFAULT_HOST as DAEMON_HOST, DEFAULT_PORT as DAEMON_PORT } from '../../../src/config.ts';
import { parseRefusal, tryGreetingEnd } from '../../../src/core/its/greeting.ts';
import { DEFAULT_HOST, DEFAULT_PORT } from '../../../src/ctl/doctor/gatherLine.ts';
import { type Contact, checkContact, isComplete, REFUSALS } from '../../../src/ctl/doctor/greetingChecks.ts';
import { checkLine, checkPort, holdersOf, type PortFacts } from '../../../src/ctl/doctor/lineChecks.ts';
import { parseProcNetTcp, type TcpSocket } from '../../../src/ctl/doctor/procNet.ts';
import { checkBootFile, parseBootFile } from '../../../src/ctl/doctor/simhChecks.ts';

const HEADING =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';

describe('/proc/net/tcp', () => {
  test('IPv4, IPv6 and IPv4 in IPv6', () => {
    const text = `${HEADING}
   0: 0100007F:2722 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4242 1 0 100 0 0 10 0
   1: 00000000000000000000000001000000:2722 0000000000000000FFFF00000501A8C0:8001 01 00000000:00000000 00:0 0 0 0 7 1
   2: B80D0120000000000000000001000000:0016 00000000000000000000000000000000:0000 06 0:0 00:0 0 33 0 0
rubbish`;
    expect(parseProcNetTcp(text)).toEqual([
      {
        localAddress: '127.0.0.1',
        localPort: 10_018,
        remoteAddress: '0.0.0.0',
        remotePort: 0,
        state: 'listening',
        uid: 1_000,
        inode: 4_242,
      },
      {
        localAddress: '::1',
        localPort: 10_018,
        remoteAddress: '192.168.1.5',
        remotePort: 32_769,
        state: 'established',
        uid: 0,
        inode: 7,
      },
      {
        localAddress: '2001:db8:0:0:0:0:0:1',
        localPort: 22,
        remoteAddress: '::',
        remotePort: 0,
        state: 'other',
        uid: 33,
        inode: 0,
      },
    ]);
  });
});

describe('who has the port', () => {
  const socket = (over: Partial<TcpSocket>): TcpSocket => ({
    localAddress: '127.0.0.1',
    localPort: 40_000,
    remoteAddress: '127.0.0.1',
    remotePort: 10_018,
    state: 'established',
    uid: 5,
    inode: 77,
    ...over,
  });
  const listener = socket({
    localPort: 10_018,
    remotePort: 0,
    remoteAddress: '0.0.0.0',
    state: 'listening',
    inode: 1,
  });
  const facts: PortFacts = {
    host: 'localhost',
    port: 10_018,
    addresses: ['127.0.0.1'],
    isHere: true,
    sockets: [listener],
    owner: (inode) => (inode === 77 ? { pid: 9, command: 'telnet localhost 10018' } : undefined),
    daemonPid: 8,
  };
  const texts = (over: Partial<PortFacts>) =>
    checkPort({ ...facts, ...over }).map(({ verdict, text }) => `${verdict} ${text}`);

  test('nobody, on loopback', () => {
    expect(texts({})).toEqual([
      'ok the line is localhost (127.0.0.1) port 10018; nobody on this machine holds it',
      'ok port 10018 listens on loopback only',
    ]);
  });

  test('the daemon, another program, a process that we may not look into', () => {
    const sockets = [
      listener,
      socket({}),
      socket({ inode: 78 }),
      socket({ remotePort: 10_017 }),
      socket({ state: 'other' }),
    ];
    expect(texts({ sockets, daemonPid: 9 })[0]).toBe(
      'ok the line localhost (127.0.0.1) port 10018 is held by the daemon',
    );
    expect(texts({ sockets }).slice(0, 2)).toEqual([
      'warn the line localhost (127.0.0.1) port 10018 is held by pid 9 (telnet localhost 10018)',
      'warn the line localhost (127.0.0.1) port 10018 is held by a process of user 5',
    ]);
    expect(holdersOf({ ...facts, sockets })).toHaveLength(2);
  });

  test('a port that is open to the network, or not there', () => {
    expect(texts({ sockets: [{ ...listener, localAddress: '0.0.0.0' }] })[1]).toBe(
      'warn port 10018 listens on all interfaces: whoever reaches it can type there',
    );
    expect(texts({ sockets: [{ ...listener, localAddress: '192.168.1.5' }] })[1]).toContain('192.168.1.5');
    expect(texts({ sockets: [] })[1]).toBe('fail nothing listens on port 10018 of this machine');
  });

  test('another machine, an unknown name, a system that tells nothing', () => {
    expect(texts({ isHere: false, host: '10.0.0.2', addresses: ['10.0.0.2'] })).toEqual([
      'ok the line is 10.0.0.2 port 10018; nobody on this machine holds it',
    ]);
    expect(texts({ addresses: [] })).toEqual(['fail the name localhost is not known']);
    expect(texts({ sockets: undefined })).toHaveLength(1);
  });
});

describe('L01 L02 L03: what one connection said', () => {
  const IACS = [0xff, 0xfb, 0x22, 0xff, 0xfb, 3, 0xff, 0xfb, 1, 0xff, 0xfb, 0, 0xff, 0xfd, 0];
  const HELLO = '\n\r\nConnected to the KA-10 simulator MTY device, line 9\r\n\n';
  const bytes = (text: string, before: readonly number[] = []) =>
    Uint8Array.from([...before, ...Buffer.from(text, 'latin1')]);
  const contact: Contact = { problem: undefined, bytes: bytes(''), isClosed: false, waitedMs: 3_000 };

  test.each<[string, Partial<Contact>, string]>([
    [
      'telnet',
      { bytes: bytes(HELLO, IACS) },
      'ok h:1 greets: "Connected to the KA-10 simulator MTY device, line 9" (telnet)',
    ],
    [
      'raw',
      { bytes: bytes(HELLO) },
      'ok h:1 greets: "Connected to the KA-10 simulator MTY device, line 9" (raw, no telnet)',
    ],
    [
      'busy',
      { bytes: bytes('Line connection busy\r\n'), isClosed: true },
      'warn h:1 answers "Line connection busy"',
    ],
    ['halted, or notelnet', {}, 'warn h:1 accepts, but says nothing for 3000 ms'],
    ['refused', { problem: 'ECONNREFUSED' }, 'fail h:1 cannot be reached: ECONNREFUSED'],
    ['closed', { isClosed: true }, 'fail h:1 closed without a greeting'],
    [
      'something else',
      { bytes: bytes('SSH-2.0-x\r\n') },
      'warn h:1 says something else (raw, no telnet): "SSH-2.0-x"',
    ],
  ])('%s', (_name, over, expected) => {
    const { verdict, text } = checkContact('h:1', { ...contact, ...over });
    expect(`${verdict} ${text}`).toBe(expected);
  });

  test('listening ends with the last byte that tells something, not before', () => {
    const all = bytes(HELLO, IACS);
    expect(isComplete(all)).toBe(true);
    expect(isComplete(all.subarray(0, -1))).toBe(false);
    expect(isComplete(bytes('Line connection busy\r\n'))).toBe(true);
  });

  test('knows the sentences that the daemon knows', () => {
    for (const sentence of REFUSALS) expect(parseRefusal(sentence)).toBeDefined();
    expect(tryGreetingEnd(HELLO)).toBe(HELLO.length);
  });
});

describe('the start file of the simulator', () => {
  const boot = parseBootFile(
    '/b',
    `SET CONSOLE TELNET=BUFFERED=144
set cons telnet=1025
;at -u mty line=3,10099
#at -u mty line=4,10098
set mty enabled
at -u mty 10003 speed=50000
ATTACH -u MTY line=9,10018 speed=9600
at -u mty line=8,127.0.0.1:10017 speed=9600
at -u mty line=7,10016;notelnet speed=50000
at -u dpk line=11,10019 speed=4800
`,
  );

  test('its lines, pool and console', () => {
    expect(boot).toEqual({
      path: '/b',
      mtyLines: [
        { line: 9, port: 10_018, isRaw: false },
        { line: 8, port: 10_017, isRaw: false },
        { line: 7, port: 10_016, isRaw: true },
      ],
      poolPort: 10_003,
      consolePort: 1_025,
      consoleBuffered: 144,
    });
  });

  test.each([
    [10_018, undefined, 'ok', 'port 10018 is line 9 of the MTY'],
    [10_016, undefined, 'warn', 'notelnet: it greets with nothing'],
    [10_016, 'off', 'ok', 'port 10016 is line 7 of the MTY, notelnet'],
    [10_003, undefined, 'warn', 'the pool of the remaining lines'],
    [1_025, undefined, 'warn', 'it replays 144 bytes at each connect'],
    [4_711, undefined, 'warn', 'has no line on port 4711'],
    [undefined, undefined, 'ok', '10018 line 9, 10017 line 8, 10016 line 7 (notelnet)'],
  ])('L24: port %s with telnet %s: %s', (port, telnet, verdict, text) => {
    const [check] = checkBootFile(boot, { port, telnet });
    expect(check?.verdict).toBe(verdict);
    expect(check?.text).toContain(text);
  });
});

describe('what the daemon tells of its line', () => {
  const line = {
    lineState: { state: 'open', host: 'pi', port: 10_018, codec: 'telnet' },
    activity: { kind: 'ddt' },
    echo: 'on',
    epoch: 'e',
    end: 0,
    oldest: 0,
    bytesIn: 0,
    bytesOut: 0,
    pendingBytes: 0,
  } as const;
  test.each([
    ['open', {}, ['ok the line is open to pi:10018 (telnet); DDT waits for a command']],
    ['closed', { lineState: { state: 'closed', codec: 'unknown' } as const }, ['ok the line is closed']],
    [
      'dead',
      { lineState: { state: 'dead', reason: 'reset', codec: 'telnet' } as const },
      ['warn the line is dead (reset)'],
    ],
    [
      'advice and farewell',
      { advice: 'no byte', goingDown: 'IN 5:00' },
      [
        'ok the line is open to pi:10018 (telnet); DDT waits for a command',
        'warn no byte',
        'warn ITS is going down: IN 5:00',
      ],
    ],
  ])('%s', (_name, over, expected) => {
    expect(checkLine({ ...line, ...over }).map(({ verdict, text }) => `${verdict} ${text}`)).toEqual(
      expected,
    );
  });
});

test('the defaults are those of the daemon', () => {
  expect([DEFAULT_HOST, DEFAULT_PORT]).toEqual([DAEMON_HOST, DAEMON_PORT]);
});
