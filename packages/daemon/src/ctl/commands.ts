/** The table of commands, in the order of the help text. */
import { closeCommand } from './close.ts';
import type { Command } from './command.ts';
import { openCommand } from './open.ts';
import { peekCommand } from './peek.ts';
import { readCommand } from './read.ts';
import { sendCommand } from './send.ts';
import { shutdownCommand } from './shutdown.ts';
import { statusCommand } from './status.ts';

export const COMMANDS: readonly Command[] = [
  openCommand,
  sendCommand,
  readCommand,
  peekCommand,
  statusCommand,
  closeCommand,
  shutdownCommand,
];
