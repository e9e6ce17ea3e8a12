/** The table of commands, in the order of the help text. */
import { closeCommand } from './close.ts';
import type { Command } from './command.ts';
import { getCommand } from './get.ts';
import { openCommand } from './open.ts';
import { peekCommand } from './peek.ts';
import { putCommand } from './put.ts';
import { readCommand } from './read.ts';
import { screenCommand } from './screen.ts';
import { sendCommand } from './send.ts';
import { shutdownCommand } from './shutdown.ts';
import { statusCommand } from './status.ts';
import { unstickCommand } from './unstick.ts';

export const COMMANDS: readonly Command[] = [
  openCommand,
  sendCommand,
  readCommand,
  peekCommand,
  screenCommand,
  putCommand,
  getCommand,
  statusCommand,
  unstickCommand,
  closeCommand,
  shutdownCommand,
];
