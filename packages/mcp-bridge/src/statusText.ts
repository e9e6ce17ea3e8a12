/** The answer of `status`: a few lines for a model. What the far end said is quoted, never repeated as our own words. */
import type { MethodResult } from '@pidp10/protocol/methods';
import { toItsLines } from './activityText.ts';
import { toDuration } from './duration.ts';
import { toFloorText } from './floorText.ts';
import { toLine } from './trailer.ts';
import { toCount, toVisibleLine } from './visibleText.ts';

const MAX_DETAIL_CHARS = 200;

export function toStatusText(
  line: MethodResult<'line.status'>,
  daemon: MethodResult<'daemon.status'>,
): string {
  const { lineState, reader } = line;
  const { host, port, codec, detail } = lineState;
  const facts = [
    toLine(lineState),
    ...(host === undefined ? [] : [`${host}:${port}`]),
    ...(lineState.state === 'open' ? [`${codec} line`] : []),
    ...(line.uptimeMs === undefined ? [] : [`up ${toDuration(line.uptimeMs)}`]),
    ...(line.connectedAt === undefined ? [] : [`since ${line.connectedAt}`]),
    ...(line.diedAt === undefined ? [] : [`died ${line.diedAt}`]),
  ];
  const traffic = [
    `${toCount(line.bytesIn)} bytes in`,
    `${toCount(line.bytesOut)} out`,
    `${toCount(line.pendingBytes)} waiting to go out`,
    ...(line.msSinceLastByte === undefined ? [] : [`last byte ${toDuration(line.msSinceLastByte)} ago`]),
  ];
  return [
    facts.join(' · '),
    ...(detail === undefined
      ? []
      : [`the last words: ${JSON.stringify(toVisibleLine(detail, MAX_DETAIL_CHARS))}`]),
    traffic.join(' · '),
    `output: offsets ${line.oldest}-${line.end}${
      reader === undefined
        ? ''
        : ` · you (${reader.name}) are at ${reader.offset}, ${toCount(reader.unread)} bytes unread`
    }${line.readers === undefined ? '' : ` · ${toCount(line.readers)} ${line.readers === 1 ? 'reader' : 'readers'}`}`,
    ...(line.floor === undefined ? [] : [toFloorText(line.floor)]),
    ...(lineState.state === 'open' ? toItsLines(line) : []),
    `daemon ${daemon.name}: pid ${daemon.pid}, version ${daemon.version}, ${daemon.clients} ${daemon.clients === 1 ? 'client' : 'clients'}, up ${toDuration(daemon.uptimeMs)}`,
    `socket ${daemon.socket} · recorded in ${daemon.stateDir}`,
    ...(line.advice === undefined ? [] : [toVisibleLine(line.advice, MAX_DETAIL_CHARS)]),
  ].join('\n');
}
