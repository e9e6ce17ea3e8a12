/** `service status`: the unit, its state, and whether what runs is what is installed (U08). */
import { readFileSync } from 'node:fs';
import { findServiceUnit } from '@pidp10/protocol/node/serviceUnit';
import type { Answer, Arguments } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import { hasServiceManager, type ManagerFacts, runCommand, systemctl } from './commands.ts';
import { gatherFacts, type ServiceContext } from './facts.ts';
import { parseUnitProgram, readInstalledProgram, readRunningScript } from './installedUnit.ts';
import { toPlaces } from './places.ts';
import type { ServiceFacts } from './plan.ts';
import { scopeOf } from './scope.ts';
import { type DaemonStatus, tryStatus } from './steps.ts';

const PROPERTIES = ['ActiveState', 'SubState', 'UnitFileState', 'MainPID', 'Result', 'NRestarts'] as const;

export async function status(args: Arguments, context: ServiceContext): Promise<Answer> {
  const given = await gatherFacts(args, context);
  const unit = findServiceUnit(given);
  const isChosen = args.flag('user') || args.flag('system');
  // Without a word about it, the one that is there.
  const scope = isChosen || unit === undefined ? given.scope : scopeOf(unit.path, given);
  const facts: ServiceFacts = { ...given, scope };
  const places = toPlaces(facts);
  const manager: ManagerFacts = { scope, platform: facts.platform, places, uid: process.getuid?.() };
  const state = await readState(manager, facts.root);
  const running = await tryStatus(context);
  const installed = unit === undefined ? undefined : readUnitProgram(unit.path);
  const wire = { name: facts.name, scope, unit: unit?.path, state, running: toRunning(running), installed };
  return {
    wire,
    output: renderStatus(wire),
    notes: toNotes(wire),
    exitCode: running === undefined ? EXIT.noDaemon : EXIT.ok,
  };
}

interface Running {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: string;
  readonly script: string | undefined;
}

interface Installed {
  readonly file: string;
  readonly script: string | undefined;
  readonly version: string | undefined;
  readonly changedMs: number | undefined;
}

export interface ServiceStatus {
  readonly name: string;
  readonly scope: string;
  readonly unit: string | undefined;
  /** As the service manager tells it; undefined where there is none. */
  readonly state: Readonly<Record<string, string>> | undefined;
  readonly running: Running | undefined;
  readonly installed: Installed | undefined;
}

export function renderStatus({ unit, state, running, installed, name }: ServiceStatus): string {
  const rows: (readonly [string, string])[] = [
    ['unit', unit ?? `none is installed for "${name}"`],
    ['state', state === undefined ? 'no service manager runs here' : renderState(state)],
    [
      'running',
      running === undefined
        ? 'no daemon answers'
        : `pidp10d ${running.version}, pid ${running.pid}, since ${running.startedAt}${from(running.script)}`,
    ],
    ...(installed === undefined
      ? []
      : [
          [
            'installed',
            `pidp10d ${installed.version ?? '(its files are gone)'}${from(installed.script)}`,
          ] as const,
        ]),
  ];
  return rows.map(([label, text]) => `${label.padEnd(10)}${text}\n`).join('');
}

/** U08: an old daemon goes on after its files were replaced; nobody would know. */
export function toNotes({ running, installed }: ServiceStatus): string[] {
  if (installed !== undefined && installed.version === undefined) {
    return [`${installed.script ?? installed.file} is gone: pidp10ctl doctor --repair writes the unit again`];
  }
  if (running === undefined || installed?.version === undefined) return [];
  const isNewer = (installed.changedMs ?? 0) > Date.parse(running.startedAt);
  const isOther = installed.version !== running.version;
  if (!isNewer && !isOther) return [];
  const what = isOther
    ? `the running daemon is ${running.version}, installed is ${installed.version}`
    : 'the files were replaced after the daemon had started';
  return [`${what}; pidp10ctl upgrade hands the line to the new one`];
}

function renderState(state: Readonly<Record<string, string>>): string {
  const { ActiveState, SubState, UnitFileState, Result, NRestarts = '0' } = state;
  const facts = [
    ...(UnitFileState ? [UnitFileState] : []),
    ...(Result !== undefined && Result !== 'success' ? [`result ${Result}`] : []),
    ...(NRestarts === '0' ? [] : [`restarted ${NRestarts} times`]),
  ];
  return `${ActiveState} (${SubState})${facts.map((fact) => `, ${fact}`).join('')}`;
}

function from(script: string | undefined): string {
  return script === undefined ? '' : `, from ${script}`;
}

async function readState(manager: ManagerFacts, root: string): Promise<Record<string, string> | undefined> {
  if (root !== '/' || manager.platform !== 'linux' || !hasServiceManager('linux')) return undefined;
  const words = systemctl(manager, 'show', `--property=${PROPERTIES.join(',')}`, manager.places.unitName);
  const { output, exitCode } = await runCommand(words);
  if (exitCode !== 0) return undefined;
  return Object.fromEntries(output.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

function readUnitProgram(path: string): Installed | undefined {
  const program = parseUnitProgram(readFileSync(path, 'utf8'));
  if (program === undefined) return undefined;
  const found = program.script === undefined ? undefined : readInstalledProgram(program.script);
  return { ...program, version: found?.version, changedMs: found?.changedMs };
}

function toRunning(status: DaemonStatus | undefined): Running | undefined {
  if (status === undefined) return undefined;
  const { version, pid, startedAt } = status;
  return { version, pid, startedAt, script: readRunningScript(pid) };
}
