/** Guards standard output before anything else is loaded: a module of somebody else may print while it loads. */
import { guardStdout } from '../stdoutGuard.ts';

const output = guardStdout();
const { interpretSchemas } = await import('../parsing.ts');
interpretSchemas();
const { main } = await import('../cli.ts');
await main({ argv: process.argv.slice(2), env: process.env, input: process.stdin, output });
