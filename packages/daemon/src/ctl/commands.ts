/** The table of commands, in the order of the help text. */
import { attachCommand } from './attach.ts';
import { bugreportCommand } from './bugreport.ts';
import { closeCommand } from './close.ts';
import type { Command } from './command.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { floorCommand } from './floor.ts';
import { getCommand } from './get.ts';
import { historyCommand } from './history.ts';
import { logCommand } from './log.ts';
import { markCommand } from './mark.ts';
import { openCommand } from './open.ts';
import { peekCommand } from './peek.ts';
import { playCommand } from './play.ts';
import { putCommand } from './put.ts';
import { readCommand } from './read.ts';
import { readersCommand } from './readers.ts';
import { sayCommand } from './say.ts';
import { screenCommand } from './screen.ts';
import { searchCommand } from './search.ts';
import { sendCommand } from './send.ts';
import { serviceCommand } from './service.ts';
import { shutdownCommand } from './shutdown.ts';
import { statusCommand } from './status.ts';
import { unstickCommand } from './unstick.ts';
import { upgradeCommand } from './upgrade.ts';
import { watchCommand } from './watch.ts';
import { whoCommand } from './who.ts';

export const COMMANDS: readonly Command[] = [
  openCommand,
  sendCommand,
  readCommand,
  peekCommand,
  screenCommand,
  attachCommand,
  watchCommand,
  historyCommand,
  searchCommand,
  logCommand,
  exportCommand,
  playCommand,
  markCommand,
  putCommand,
  getCommand,
  statusCommand,
  whoCommand,
  sayCommand,
  floorCommand,
  readersCommand,
  unstickCommand,
  closeCommand,
  upgradeCommand,
  shutdownCommand,
  serviceCommand,
  doctorCommand,
  bugreportCommand,
];
