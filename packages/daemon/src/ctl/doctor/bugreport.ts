/**
 * The report: JSON, for its owner's eyes only until he sends it. Nothing that was printed on the line unless asked for, and no
 * secret: what is not known to be harmless is masked, not the other way round.
 */
import { writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join, resolve } from 'node:path';
import { PROTOCOL } from '@pidp10/protocol/version';
import { VERSION } from '../../version.ts';
import type { Answer, Arguments } from '../command.ts';
import { EXIT } from '../exitCodes.ts';
import type { ServiceContext } from '../service/facts.ts';
import { examine } from './examine.ts';
import { tryRead } from './gatherPlaces.ts';
import { maskConfig, maskText } from './mask.ts';

/** Of the log's end: states and errors of some days. */
const LOG_LINES = 200;
const SCROLLBACK_CHARS = 20_000;

export async function bugreport(args: Arguments, context: ServiceContext): Promise<Answer> {
  const at = new Date().toISOString();
  const file = resolve(args.text('output') ?? `pidp10-bugreport-${at.replaceAll(/[:.]/g, '-')}.json`);
  const { checks, status } = await examine(args, context);
  const { paths } = context.daemon;
  const stateDir = status?.stateDir ?? paths.stateDir;
  const log = tryRead(join(stateDir, `${paths.name}.log`));
  const report = {
    at,
    versions: { pidp10ctl: VERSION, protocol: PROTOCOL, node: process.version },
    system: { platform: process.platform, arch: process.arch, release: release() },
    checks,
    daemon: status,
    config: readConfig(paths.config),
    environment: toEnvironment(context.env),
    log: log?.trimEnd().split('\n').slice(-LOG_LINES).map(maskText),
    scrollback: args.flag('with-scrollback') ? await peek(context) : undefined,
  };
  // `wx`: whatever stands at the path is not ours, and a link is not followed.
  writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  const notes = [
    report.scrollback === undefined
      ? 'what was printed on the line is not in it; read it all the same before you send it'
      : 'it holds what was printed on the line: read it before you send it',
    ...(log === undefined
      ? ['a log of the service manager is not in it: journalctl -u pidp10d, or --user-unit']
      : []),
  ];
  return { wire: { file }, output: `${file}\n`, notes, exitCode: EXIT.ok };
}

function readConfig(path: string): unknown {
  const text = tryRead(path);
  if (text === undefined) return undefined;
  try {
    return maskConfig(JSON.parse(text));
  } catch {
    return 'not JSON';
  }
}

/** Ours only, and what decides where things are. */
function toEnvironment(env: ServiceContext['env']): unknown {
  const names = Object.keys(env).filter((name) =>
    /^(?:PIDP10|XDG_(?:RUNTIME|STATE|CONFIG)|LANG$|TERM$)/.test(name),
  );
  return maskConfig(Object.fromEntries(names.sort().map((name) => [name, env[name]])));
}

async function peek({ daemon, signal }: ServiceContext): Promise<string | undefined> {
  try {
    await using client = await daemon.connect({ isReader: false });
    return (await client.request('line.peek', { chars: SCROLLBACK_CHARS }, { signal })).output.text;
  } catch {
    return undefined;
  }
}
