/** Facts of an installation into a private folder, with small templates of its own. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../../../protocol/test/support/folder.ts';
import type { ServiceFacts } from '../../../src/ctl/service/plan.ts';

export class ServiceRoot implements Disposable {
  readonly #folder: TemporaryFolder = temporaryFolder();
  readonly facts: ServiceFacts;

  constructor(over: Partial<ServiceFacts> = {}) {
    const packaging = join(this.#folder.path, 'packaging');
    const root = join(this.#folder.path, 'root');
    mkdirSync(root);
    const files = {
      'systemd/pidp10d-user.service.in': 'user @NODE@ @PIDP10D@ @INSTANCE@\n',
      'systemd/pidp10d.service.in': 'system @NODE@ @PIDP10D@ @INSTANCE@ @USER@\n',
      'launchd/pidp10d.plist.in': '@LABEL@ @NODE@ @PIDP10D@ @INSTANCE@ @LOG@\n@ENVIRONMENT@@USER@',
      'man/pidp10ctl.1': 'page\n',
      'man/README': 'no page\n',
      'completion/pidp10ctl.zsh': 'zsh\n',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(packaging, path)), { recursive: true });
      writeFileSync(join(packaging, path), text);
    }
    this.facts = {
      scope: 'user',
      name: 'line',
      platform: 'linux',
      homedir: '/home/rms',
      env: {},
      root,
      node: '/n/node',
      program: '/p/pidp10d.js',
      packaging,
      settings: {},
      ...over,
    };
  }

  path(path: string): string {
    return join(this.facts.root, path);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(this.path(path));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}
