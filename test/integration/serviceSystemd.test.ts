/**
 * The user unit under a real systemd. It need not have booted the machine: a user's manager runs in a mount namespace with a
 * /run of its own, which takes root, and leaves nothing behind.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeline } from '@pidp10/fakeline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN } from '../support/sandbox.ts';

const SYSTEMD = ['/usr/lib/systemd/systemd', '/lib/systemd/systemd'].find((path) => existsSync(path));
/** The manager needs a moment to start, and a unit to stop; the whole of it takes 5 s here. In ms. */
const SCRIPT_TIMEOUT_MS = 60_000;

/** `$1` systemd, `$2` a folder, `$3` what to do once the manager answers; its output is ours. */
const IN_NAMESPACE = `
mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system "$2/run" && chmod 700 "$2/run" || exit 77
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME
export HOME="$2" XDG_RUNTIME_DIR="$2/run" SYSTEMD_PAGER=
"$1" --user >/dev/null 2>&1 &
manager=$!
for turn in $(seq 200); do systemctl --user is-active -q default.target 2>/dev/null && break; sleep 0.05; done
systemctl --user is-active -q default.target 2>/dev/null || exit 77
bash -c "$3"
systemctl --user exit
wait $manager
exit 0
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sd-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Not the synchronous way: the far end of the line is in this process. */
function inNamespace(script: string): Promise<{ readonly status: unknown; readonly stdout: string }> {
  const bash = ['bash', '-c', IN_NAMESPACE, 'bash', SYSTEMD ?? '', folder, script];
  return new Promise((resolve) => {
    const options = { timeout: SCRIPT_TIMEOUT_MS };
    execFile('unshare', ['-m', '--fork', '--kill-child', ...bash], options, (error, stdout) => {
      resolve({ status: error?.code ?? 0, stdout });
    });
  });
}

/** Looked at once, by doing it: containers differ in what they allow to root. */
function canRunSystemd(): boolean {
  if (SYSTEMD === undefined || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/run'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('P15: the user unit under systemd', { skip: !canRunSystemd() }, () => {
  test('D21 U03 U04 U08: install, reload, crash, wrong configuration, uninstall', async ({ skip }) => {
    await using line = await startFakeline();
    const { status, stdout } = await inNamespace(`
ctl() { '${process.execPath}' '${BIN.ctl}' "$@" 2>&1; }
show() { systemctl --user show --property=$1 pidp10d | sort | tr '\\n' ' '; echo; }
ctl service install --host 127.0.0.1 --port ${line.port} >/dev/null; echo "install $?"
echo "state $(show ActiveState,SubState)"
ctl service status | grep -c '^running   pidp10d'
ctl open | grep -c 'Connected to the'
systemctl --user reload pidp10d; echo "reload $?"
ctl status | grep -c '^line    open'
pid=$(systemctl --user show --property=MainPID --value pidp10d)
[[ $pid -gt 1 ]] && kill -9 "$pid"
for turn in $(seq 100); do [[ $(show SubState) == *auto-restart* ]] && break; sleep 0.05; done
echo "crash $(show SubState,Result)"
systemctl --user stop pidp10d
echo 'PIDP10_BITS=9' >> "$HOME/.config/pidp10d/line.env"
systemctl --user start pidp10d 2>/dev/null; echo "start $?"
echo "wrong $(show SubState,ExecMainStatus)"
ctl service uninstall >/dev/null; echo "uninstall $?"
find "$HOME" -name 'pidp10*' -path '*systemd*' | wc -l
`);
    // A manager that does not come up says nothing about the unit.
    if (status === 77) skip();
    expect(
      stdout
        .trim()
        .split('\n')
        .map((row) => row.trim()),
    ).toEqual([
      'install 0',
      'state ActiveState=active SubState=running',
      '1',
      '1',
      'reload 0',
      '1',
      'crash Result=signal SubState=auto-restart',
      'start 1',
      'wrong ExecMainStatus=78 SubState=failed',
      'uninstall 0',
      '0',
    ]);
  });
});
