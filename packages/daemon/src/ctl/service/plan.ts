/** What an installation writes and an uninstallation removes, found out before anything is done. Reads the disk, changes nothing. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_NAME } from '@pidp10/protocol/node/paths';
import { readAssets, readTemplate } from './assets.ts';
import { type Places, type Scope, toPlaces } from './places.ts';
import { filesOnlyOf, type InstallRecord, isOurs, readRecord } from './record.ts';
import { renderEnvironmentFile, renderPlist, renderSystemdUnit } from './templates.ts';

export interface ServiceFacts {
  readonly scope: Scope;
  readonly name: string;
  readonly platform: NodeJS.Platform;
  readonly homedir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Stands before every path that is read or written; `/` but for packagers and tests. */
  readonly root: string;
  /** Absolute paths: Node, pidp10d.js, the folder of the templates. */
  readonly node: string;
  readonly program: string;
  readonly packaging: string;
  /** Whom a system service runs as. */
  readonly user?: string | undefined;
  /** Environment variables of the daemon: PIDP10_HOST and the like. */
  readonly settings: Readonly<Record<string, string>>;
  readonly systemdVersion?: number | undefined;
}

/** `foreign`: something that we did not write, or that was changed since. */
export type FileState = 'absent' | 'same' | 'ours' | 'foreign';

export interface PlannedFile {
  /** As the installed system sees it, without `root`. */
  readonly path: string;
  readonly text: string;
  readonly state: FileState;
}

export interface InstallPlan {
  readonly facts: ServiceFacts;
  readonly places: Places;
  readonly files: readonly PlannedFile[];
  readonly record: InstallRecord;
}

export function planInstall(given: ServiceFacts): InstallPlan {
  const places = toPlaces(given);
  const record = readRecord(join(given.root, places.record));
  const before = record.daemons[given.name];
  // What was chosen at the first installation holds until it is chosen anew.
  const user = given.user ?? before?.user;
  const facts = { ...given, user, settings: { ...before?.settings, ...given.settings } };
  const texts = new Map([...toUnitFiles(facts, places), ...toAssetFiles(facts, places)]);
  const all = [...texts].map(([path, text]): PlannedFile => {
    return { path, text, state: stateOf(record, { root: facts.root, path, text }) };
  });
  // Settings are there to be edited: without new ones an edited file is left alone.
  const isNew = Object.keys(given.settings).length > 0;
  const files = all.filter(({ path, state }) => isNew || path !== places.settings || state !== 'foreign');
  return { facts, places, files, record };
}

export interface RemovalPlan {
  readonly facts: ServiceFacts;
  readonly places: Places;
  readonly remove: readonly string[];
  /** Installed, but changed since by somebody. */
  readonly keep: readonly string[];
  readonly record: InstallRecord;
}

/** Undefined when nothing was installed for this name. */
export function planRemoval(facts: ServiceFacts): RemovalPlan | undefined {
  const places = toPlaces(facts);
  const record = readRecord(join(facts.root, places.record));
  if (!Object.hasOwn(record.daemons, facts.name)) return undefined;
  const present = filesOnlyOf(record, facts.name).filter(
    (path) => stateAt(join(facts.root, path)) !== 'absent',
  );
  const isUnchanged = (path: string) => {
    const text = stateAt(join(facts.root, path));
    return typeof text === 'object' && isOurs(record, path, text.text);
  };
  return {
    facts,
    places,
    remove: present.filter(isUnchanged),
    keep: present.filter((path) => !isUnchanged(path)),
    record,
  };
}

function toUnitFiles(facts: ServiceFacts, places: Places): [path: string, text: string][] {
  const { scope, platform, packaging, name, settings } = facts;
  if (platform === 'darwin') {
    const { unitName: label, log } = places;
    const template = readTemplate(packaging, join('launchd', 'pidp10d.plist.in'));
    // An agent runs as who logged in; only a daemon has to be told.
    const user = scope === 'system' ? facts.user : undefined;
    return [[places.unit, renderPlist(template, { ...facts, user, label, log })]];
  }
  const file = scope === 'system' ? 'pidp10d.service.in' : 'pidp10d-user.service.in';
  const template = readTemplate(packaging, join('systemd', file));
  const unit = renderSystemdUnit(template, { ...facts, name: name === DEFAULT_NAME ? name : undefined });
  const environment = renderEnvironmentFile(name, settings);
  const isSet = environment !== undefined && places.settings !== undefined;
  return [[places.unit, unit], ...(isSet ? [[places.settings, environment] as [string, string]] : [])];
}

function toAssetFiles({ packaging }: ServiceFacts, places: Places): [path: string, text: string][] {
  return readAssets(packaging).map(({ folder, path, text }) => [join(places[folder], path), text]);
}

function stateOf(
  record: InstallRecord,
  { root, path, text }: { readonly root: string; readonly path: string; readonly text: string },
): FileState {
  const found = stateAt(join(root, path));
  if (typeof found === 'string') return found;
  if (found.text === text) return 'same';
  return isOurs(record, path, found.text) ? 'ours' : 'foreign';
}

/** A link is never written through: it is somebody's, whatever it points at. */
function stateAt(path: string): 'absent' | 'foreign' | { readonly text: string } {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 'absent';
  return stat.isFile() ? { text: readFileSync(path, 'utf8') } : 'foreign';
}
