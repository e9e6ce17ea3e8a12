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
import { secretCommand } from './secret.ts';
import { sendCommand } from './send.ts';
import { serviceCommand } from './service.ts';
import { logsCommand } from './session/logs.ts';
import { psCommand } from './session/ps.ts';
import { resizeCommand } from './session/resize.ts';
import { rmCommand } from './session/rm.ts';
import { runCommand } from './session/run.ts';
import { signalCommand } from './session/signal.ts';
import { stopCommand } from './session/stop.ts';
import { waitCommand } from './session/wait.ts';
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
  secretCommand,
  readersCommand,
  unstickCommand,
  closeCommand,
  runCommand,
  psCommand,
  logsCommand,
  waitCommand,
  signalCommand,
  resizeCommand,
  stopCommand,
  rmCommand,
  upgradeCommand,
  shutdownCommand,
  serviceCommand,
  doctorCommand,
  bugreportCommand,
];
