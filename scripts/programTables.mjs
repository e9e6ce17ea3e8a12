/**
 * Commands and options of our three programs, from where they are defined: pidp10ctl's table of literals, and what pidp10d
 * and pidp10-mcp say when asked for help. Completion files and man pages are made of it.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
/** Options whose value is a path. */
const PATH_OPTIONS = new Set(['socket', 'state-dir', 'config', 'to-file', 'root', 'pidp10-dir', 'output']);
/** Words that a positional takes, where they are few. */
const WORDS = { 'service action': ['install', 'uninstall', 'status'] };

export async function readTables() {
  const ctl = (path) => import(new URL(`packages/daemon/dist/ctl/${path}.js`, root).href);
  const { COMMANDS } = await ctl('commands');
  const { GLOBAL_OPTIONS } = await ctl('options');
  const { EXIT_CODE_MEANINGS } = await ctl('exitCodes');
  return {
    ctl: {
      program: 'pidp10ctl',
      globals: toOptions(GLOBAL_OPTIONS),
      commands: COMMANDS.map(toCommand),
      exitCodes: EXIT_CODE_MEANINGS,
    },
    daemon: { program: 'pidp10d', options: askForHelp('packages/daemon/bin/pidp10d.js') },
    bridge: { program: 'pidp10-mcp', options: askForHelp('packages/mcp-bridge/bin/pidp10-mcp.js') },
  };
}

function toCommand({ name, summary, positionals, options, examples }) {
  return {
    name,
    summary,
    options: toOptions(options),
    examples,
    positionals: positionals.map((positional) => ({
      ...positional,
      words: WORDS[`${name} ${positional.name}`] ?? [],
      isPath: /file/i.test(positional.name) && !/its/i.test(positional.name),
    })),
  };
}

function toOptions(options) {
  return Object.entries(options).map(([name, { type, describe, alias, choices = [] }]) => ({
    name,
    alias,
    describe,
    choices,
    takesValue: type !== 'boolean',
    isPath: PATH_OPTIONS.has(name),
  }));
}

/** The options in the help text of a program that yargs made. */
function askForHelp(script) {
  const text = execFileSync(process.execPath, [fileURLToPath(new URL(script, root)), '--help'], {
    encoding: 'utf8',
    env: { ...process.env, COLUMNS: '80' },
  });
  // An option begins with two blanks and hyphens; what is further right goes on with the one before.
  const blocks = text.matchAll(/^ {2,6}(?:-(\w), )?--([\w-]+) +(.*(?:\n {8,}.*)*)/gm);
  return [...blocks].map(([, alias, name, rest]) => {
    const words = rest.replaceAll(/\s+/g, ' ').trim();
    const describe = words.replace(/ *(?:\[[^\]]*\] *)+$/, '');
    const preset = /\[default: ([^\]]*)\]/.exec(words)?.[1].replaceAll('"', '');
    return {
      name,
      alias,
      describe: preset === undefined ? describe : `${describe} (default ${preset})`,
      choices: [],
      takesValue: words.includes('[string]'),
      isPath: PATH_OPTIONS.has(name),
    };
  });
}
