/** Guards standard output before anything else is loaded: a module of somebody else may print while it loads. */
import * as module from 'node:module';
import { homedir } from 'node:os';
import { tryCacheCompiled } from '../compileCache.ts';
import { guardStdout } from '../stdoutGuard.ts';

const output = guardStdout();
const { env, platform } = process;
tryCacheCompiled({ module, env, platform, homedir: homedir(), uid: process.getuid?.() });
const { interpretSchemas } = await import('../parsing.ts');
interpretSchemas();
const { main } = await import('../cli.ts');
await main({ argv: process.argv.slice(2), env, input: process.stdin, output });
