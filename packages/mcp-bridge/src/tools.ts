/** All tools of the bridge, in the order in which clients list them. */

import type { DaemonLink } from './daemonLink.ts';
import type { Tool } from './defineTool.ts';
import type { Deliveries } from './deliveries.ts';
import { FileCalls } from './fileCalls.ts';
import { FloorCalls } from './floorCalls.ts';
import { FloorHold } from './floorHold.ts';
import { defineFloorTools } from './floorTools.ts';
import { LineCalls } from './lineCalls.ts';
import { defineLineTools } from './lineTools.ts';
import { Requests } from './requests.ts';
import { defineSearchTool } from './searchTool.ts';
import type { Settings } from './settings.ts';

export interface ToolOptions {
  readonly link: DaemonLink;
  readonly deliveries: Deliveries;
  readonly settings: Settings;
}

export function defineTools({ link, deliveries, settings }: ToolOptions): readonly Tool[] {
  const requests = new Requests(link, settings);
  const hold = new FloorHold();
  return [
    ...defineLineTools(new LineCalls({ requests, link, deliveries, hold }), new FileCalls(requests, hold)),
    ...defineFloorTools(new FloorCalls(requests, hold)),
    defineSearchTool({ requests, link }),
  ];
}
