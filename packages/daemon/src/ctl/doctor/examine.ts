/** Gathers the facts, one after the other, and hands each to its check. */
import type { MethodResult } from '@pidp10/protocol/methods';
import { isDaemonAbsent } from '@pidp10/protocol/node/dial';
import { findServiceUnit } from '@pidp10/protocol/node/serviceUnit';
import { PROTOCOL } from '@pidp10/protocol/version';
import { VERSION } from '../../version.ts';
import type { Arguments } from '../command.ts';
import { toTarget } from '../daemonAccess.ts';
import { hasServiceManager } from '../service/commands.ts';
import { gatherFacts, type ServiceContext } from '../service/facts.ts';
import { parseUnitProgram, readInstalledProgram, readRunningScript } from '../service/installedUnit.ts';
import { type Places, toPlaces } from '../service/places.ts';
import type { ServiceFacts } from '../service/plan.ts';
import { readRecord } from '../service/record.ts';
import { scopeOf } from '../service/scope.ts';
import { type Check, warn } from './check.ts';
import {
  contact,
  findAddresses,
  findOwner,
  findTarget,
  isThisMachine,
  type LineTarget,
  readTcpSockets,
} from './gatherLine.ts';
import {
  exists,
  gatherBootFiles,
  gatherJournal,
  gatherState,
  gatherTools,
  lookAt,
  tryRead,
} from './gatherPlaces.ts';
import { checkContact } from './greetingChecks.ts';
import { checkLine, checkPort, holdersOf, type PortFacts } from './lineChecks.ts';
import { checkJournal, checkSocket, checkState, type SocketAnswer } from './placeChecks.ts';
import { checkBootFile } from './simhChecks.ts';
import { checkTools, checkUnit, type UnitFacts } from './systemChecks.ts';
import { checkNode, checkVersions } from './versionChecks.ts';

export const DEFAULT_PIDP10_DIR = '/opt/pidp10';

type DaemonStatus = MethodResult<'daemon.status'>;

interface Answer {
  readonly status: DaemonStatus | undefined;
  readonly line: MethodResult<'line.status'> | undefined;
  readonly answer: SocketAnswer;
}

export interface Examination {
  readonly checks: readonly Check[];
  readonly status: DaemonStatus | undefined;
  /** Facts for a repair; undefined without a unit that we wrote. */
  readonly repairable: ServiceFacts | undefined;
}

export async function examine(args: Arguments, context: ServiceContext): Promise<Examination> {
  const { daemon, env } = context;
  const uid = process.getuid?.();
  const given = await gatherFacts(args, context);
  const { status, line, answer } = await askDaemon(context);
  const unit = findServiceUnit(given);
  const facts: ServiceFacts = { ...given, scope: unit === undefined ? 'user' : scopeOf(unit.path, given) };
  const places = toPlaces(facts);
  const installed = readInstalled(facts, places);
  const unitFacts = toUnitFacts(unit?.path, installed.isOurs);
  const script = status === undefined ? undefined : readRunningScript(status.pid);
  const target = findTarget({
    live: status?.line ?? {},
    given: toTarget(args, env),
    service: installed.settings,
    configPath: daemon.paths.config,
    env,
  });
  const port = await gatherPort(target, status);
  const paths = status ?? daemon.paths;
  const checks = [
    checkNode(process.version, process.execPath),
    ...checkVersions({
      own: VERSION,
      daemon: status && { ...status, script },
      installed: script === undefined ? undefined : readInstalledProgram(script),
    }),
    ...checkTools(gatherTools(env, hasServiceManager('linux') && process.platform === 'linux')),
    checkUnit(unitFacts),
    ...checkSocket({
      socket: lookAt(paths.socket),
      folder: lookAt(paths.socket.replace(/\/[^/]*$/, '')),
      uid,
      answer,
      startCommand: unit?.startCommand,
    }),
    ...checkState(gatherState(paths.stateDir, uid)),
    ...checkJournal(gatherJournal(paths.stateDir), status?.storage),
    ...(line === undefined ? [] : checkLine(line)),
    ...checkPort(port),
    ...checkBoot(args, port, target),
    ...(args.flag('connect') ? [await tryContact(port, { target, status, signal: context.signal })] : []),
  ];
  return { checks, status, repairable: unitFacts.missing.length > 0 && installed.isOurs ? facts : undefined };
}

const ANSWERS: SocketAnswer = { kind: 'answers' };

async function askDaemon({ daemon, signal }: ServiceContext): Promise<Answer> {
  let status: DaemonStatus | undefined;
  try {
    {
      await using client = await daemon.connectWithoutHello();
      status = await client.request('daemon.status', {}, { signal });
    }
    if (status.protocol.major !== PROTOCOL.major) return { status, line: undefined, answer: ANSWERS };
    // Not as a reader: looking takes nobody's place.
    await using client = await daemon.connect({ isReader: false });
    return { status, line: await client.request('line.status', {}, { signal }), answer: ANSWERS };
  } catch (error) {
    if (status !== undefined) return { status, line: undefined, answer: ANSWERS };
    if (isDaemonAbsent(error)) return { status, line: undefined, answer: { kind: 'absent' } };
    const problem = error instanceof Error ? error.message : String(error);
    return { status, line: undefined, answer: { kind: 'fault', problem } };
  }
}

interface InstalledFacts {
  readonly isOurs: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

function readInstalled({ name, root }: ServiceFacts, places: Places): InstalledFacts {
  try {
    const entry = readRecord(root === '/' ? places.record : `${root}${places.record}`).daemons[name];
    return { isOurs: entry !== undefined, settings: entry?.settings ?? {} };
  } catch {
    return { isOurs: false, settings: {} };
  }
}

function toUnitFacts(path: string | undefined, isOurs: boolean): UnitFacts {
  const program = parseUnitProgram(path === undefined ? '' : (tryRead(path) ?? ''));
  const wanted =
    program === undefined ? [] : [program.file, program.script].filter((file) => file !== undefined);
  return { unit: path, program, missing: wanted.filter((file) => !exists(file)), isOurs };
}

async function gatherPort({ host, port }: LineTarget, status: DaemonStatus | undefined): Promise<PortFacts> {
  const addresses = await findAddresses(host);
  return {
    host,
    port,
    addresses,
    isHere: isThisMachine(addresses),
    sockets: readTcpSockets(),
    owner: findOwner,
    daemonPid: status?.pid,
  };
}

function checkBoot(args: Arguments, { isHere, port }: PortFacts, { telnet }: LineTarget): Check[] {
  const files = gatherBootFiles(args.text('pidp10-dir') ?? DEFAULT_PIDP10_DIR);
  return files.flatMap((file) => checkBootFile(file, { port: isHere ? port : undefined, telnet }));
}

interface ContactFacts {
  readonly target: LineTarget;
  readonly status: DaemonStatus | undefined;
  readonly signal: AbortSignal;
}

/** A second connection can take the line from whoever is about to open it, and is refused while he has it: so only on a free one. */
async function tryContact(port: PortFacts, { target, status, signal }: ContactFacts): Promise<Check> {
  const state = status?.line.state ?? 'closed';
  if (state === 'open' || state === 'connecting')
    return warn('connect', `not tried: the daemon's line is ${state}`);
  if (holdersOf(port).length > 0)
    return warn('connect', 'not tried: a process of this machine holds the line');
  return checkContact(`${target.host}:${target.port}`, await contact(target, signal));
}
