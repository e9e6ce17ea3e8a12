/**
 * `status`: the daemon and its line. The daemon is asked without a hello, so that one of another protocol version answers
 * too; of its line it then tells only what was agreed on for ever.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MethodResult } from '@pidp10/protocol/methods';
import { PROTOCOL } from '@pidp10/protocol/version';
import { describeActivity, describeEcho } from './activity.ts';
import type { Answer, Command, Context } from './command.ts';
import { EXIT } from './exitCodes.ts';
import { count, describeGoingDown, describeLine } from './render.ts';

type DaemonStatus = MethodResult<'daemon.status'>;
type LineStatus = MethodResult<'line.status'>;

/** Between two looks of --watch, in ms. */
const WATCH_MS = 2_000;
/** Home, and everything below it erased. */
const CLEAR = '\x1b[H\x1b[J';

export const statusCommand: Command = {
  name: 'status',
  summary: 'Show the daemon and its line',
  positionals: [],
  options: { watch: { type: 'boolean', describe: 'Show it again every two seconds, until ^C' } },
  examples: [
    ['status', 'state, host, bytes, what was not read yet'],
    ['status --watch', 'how it does, as it goes on'],
    ['status --json', '{"daemon": daemon.status, "line": line.status}'],
  ],
  async run(args, context) {
    if (!args.flag('watch')) return await look(context);
    const { stdout, signal } = context;
    for (;;) {
      const answer = await look(context);
      // One frame after another: a pipe gets them all, a terminal sees the newest at its top.
      const frame = args.flag('json') ? `${JSON.stringify(answer.wire)}\n` : answer.output;
      stdout.write(stdout.isTTY === true && !args.flag('json') ? `${CLEAR}${frame}` : frame);
      const isOver = await sleep(WATCH_MS, false, { signal }).catch(() => true);
      if (isOver) return { wire: answer.wire, output: '', notes: [], exitCode: EXIT.interrupted };
    }
  },
};

async function look({ daemon, signal }: Context): Promise<Answer> {
  const status = await askDaemon();
  if (status.protocol.major !== PROTOCOL.major) {
    const theirs = `the daemon speaks protocol ${status.protocol.major}.${status.protocol.minor}`;
    const note = `${theirs}, this pidp10ctl ${PROTOCOL.major}.${PROTOCOL.minor}: only status and shutdown work`;
    return { wire: { daemon: status }, output: renderStatus(status), notes: [note], exitCode: EXIT.ok };
  }
  await using client = await daemon.connect();
  const line = await client.request('line.status', {}, { signal });
  return { wire: { daemon: status, line }, output: renderStatus(status, line), notes: [], exitCode: EXIT.ok };

  async function askDaemon(): Promise<DaemonStatus> {
    await using client = await daemon.connectWithoutHello();
    return await client.request('daemon.status', {}, { signal });
  }
}

/** One fact a row, the most wanted first. */
export function renderStatus(daemon: DaemonStatus, line?: LineStatus): string {
  const rows: (readonly [string, string])[] = [['line', toLineText(line?.lineState ?? daemon.line, line)]];
  if (line !== undefined) rows.push(...toLineRows(line));
  const { version, protocol, pid, name, uptimeMs, clients, socket, stateDir } = daemon;
  const spoken = `protocol ${protocol.major}.${protocol.minor}`;
  rows.push(
    [
      'daemon',
      `pidp10d ${version} "${name}" (${spoken}), pid ${pid}, up ${toDuration(uptimeMs)}, ${count(clients, 'client')}`,
    ],
    ['socket', socket],
    ['state', stateDir],
    ...toStorageRows(daemon),
  );
  return rows.map(([label, text]) => `${label.padEnd(8)}${text}\n`).join('');
}

/** How what is kept does, and how late the daemon's own timers were. */
function toStorageRows({ storage, loopDelayMs }: DaemonStatus): (readonly [string, string])[] {
  const rows: (readonly [string, string])[] = [];
  if (storage !== undefined) {
    const { state, detail, bytes, segments, gapBytes, oldest } = storage;
    const figures = `${count(bytes, 'byte')} in ${count(segments, 'file')}, kept from offset ${oldest}`;
    const gaps = gapBytes === 0 ? '' : `, ${count(gapBytes, 'byte')} could not be kept`;
    rows.push(['journal', state === 'off' ? (detail ?? 'off') : `${state}; ${figures}${gaps}`]);
    if (state === 'degraded' && detail !== undefined) rows.push(['trouble', detail]);
  }
  if (loopDelayMs !== undefined) {
    rows.push(['timers', `${loopDelayMs.mean.toFixed(1)} ms late, ${loopDelayMs.max.toFixed(0)} at most`]);
  }
  return rows;
}

function toLineText(state: LineStatus['lineState'], line?: LineStatus): string {
  const since = line?.uptimeMs === undefined ? '' : ` for ${toDuration(line.uptimeMs)}`;
  const silent =
    line?.msSinceLastByte === undefined ? '' : `, last byte ${toDuration(line.msSinceLastByte)} ago`;
  return `${describeLine(state).replace(/^the line is /, '')}${since}${silent}`;
}

function toLineRows(line: LineStatus): (readonly [string, string])[] {
  const { bytesIn, bytesOut, pendingBytes, oldest, end, reader, activity, echo, goingDown, advice } = line;
  const echoText = describeEcho(echo);
  const waiting = pendingBytes === 0 ? '' : `, ${count(pendingBytes, 'byte')} waiting to go out`;
  return [
    ['bytes', `${bytesIn} in, ${bytesOut} out${waiting}; held are ${oldest} to ${end}`],
    ...(reader === undefined
      ? []
      : [['reader', `${reader.name} at ${reader.offset}, ${count(reader.unread, 'byte')} unread`] as const]),
    ...(goingDown === undefined ? [] : [['down', describeGoingDown(goingDown)] as const]),
    ['doing', describeActivity(activity)],
    ...(echoText === undefined ? [] : [['echo', echoText] as const]),
    ...(advice === undefined ? [] : [['advice', advice] as const]),
  ];
}

/** Two units at most: `4 s`, `3 min 12 s`, `2 d 5 h`. */
export function toDuration(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  if (first === -1) return '0 s';
  const shown = parts.slice(first, first + 2).filter(([value]) => value > 0);
  return shown.map(([value, unit]) => `${value} ${unit}`).join(' ');
}
