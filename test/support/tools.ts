/** Programs of the system that some tests need. They are part of the development machine, not of the project. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * True when the program is there. Without it its tests are skipped by name, unless `PIDP10_REQUIRE_TOOLS=1` says that a
 * machine must have them all: then they run, and fail.
 */
export function hasTool(name: string): boolean {
  return process.env['PIDP10_REQUIRE_TOOLS'] === '1' || isInstalled(name);
}

/** The same for what no machine must have. */
export function isInstalled(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => isProgram(join(folder, name)));
}

/** Options of a test or a suite that needs the program: `describe('…', needsTool('pdp11'), …)`. */
export function needsTool(...names: readonly string[]): { readonly skip: boolean } {
  return { skip: !names.every(hasTool) };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
