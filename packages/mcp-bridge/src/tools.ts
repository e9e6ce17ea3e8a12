/** All tools of the bridge, in the order in which clients list them. */

import { CommandCalls, type OutputLog } from './commandCalls.ts';
import { CommandControl } from './commandControl.ts';
import { defineCommandTools } from './commandTools.ts';
import type { DaemonLink } from './daemonLink.ts';
import type { Tool } from './defineTool.ts';
import type { Deliveries } from './deliveries.ts';
import { FileCalls } from './fileCalls.ts';
import { FloorCalls } from './floorCalls.ts';
import { FloorHold } from './floorHold.ts';
import { defineFloorTools } from './floorTools.ts';
import { LineCalls } from './lineCalls.ts';
import { defineLineTools } from './lineTools.ts';
import type { Requests } from './requests.ts';
import { defineSearchTool } from './searchTool.ts';
import { SecretCalls } from './secretCalls.ts';
import { defineSecretTool } from './secretTool.ts';

export interface ToolOptions {
  readonly link: DaemonLink;
  readonly requests: Requests;
  readonly deliveries: Deliveries;
  readonly log: OutputLog;
  /** Sessions came or went. */
  readonly onSessions: () => void;
}

export function defineTools(options: ToolOptions): readonly Tool[] {
  const { link, requests } = options;
  const { groups } = requests.settings;
  const secrets = new SecretCalls(requests);
  return [
    ...(groups.has('line') ? lineTools(options, secrets) : []),
    defineSearchTool({ requests, link }),
    ...(groups.has('commands') ? commandTools(options, secrets) : []),
  ];
}

function lineTools({ link, requests, deliveries }: ToolOptions, secrets: SecretCalls): readonly Tool[] {
  const hold = new FloorHold();
  const line = new LineCalls({ requests, link, deliveries, hold });
  return [
    ...defineLineTools(line, new FileCalls(requests, hold)),
    defineSecretTool(secrets, line),
    ...defineFloorTools(new FloorCalls(requests, hold)),
  ];
}

function commandTools(options: ToolOptions, secrets: SecretCalls): readonly Tool[] {
  const { link, requests, deliveries, log, onSessions } = options;
  const calls = new CommandCalls({ requests, link, deliveries, log, secrets, onStart: onSessions });
  return defineCommandTools(calls, new CommandControl({ requests, onDelete: onSessions }));
}
