/** The simulator's port as this machine sees it, without a connection of our own: a line has room for one. */
import type { MethodResult } from '@pidp10/protocol/methods';
import { describeActivity } from '../activity.ts';
import { describeLine } from '../render.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { isLoopback, isWildcard, type TcpSocket } from './procNet.ts';

export interface Owner {
  readonly pid: number;
  readonly command: string;
}

export interface PortFacts {
  readonly host: string;
  readonly port: number;
  /** Addresses of the host; empty when it is not known. */
  readonly addresses: readonly string[];
  /** Whether one of them is this machine's. */
  readonly isHere: boolean;
  /** Undefined where the system does not tell (macOS). */
  readonly sockets: readonly TcpSocket[] | undefined;
  /** The process that has the socket of this inode open, as far as we may know. */
  readonly owner: (inode: number) => Owner | undefined;
  readonly daemonPid: number | undefined;
}

export function checkPort(facts: PortFacts): Check[] {
  const { host, port, addresses } = facts;
  if (addresses.length === 0) {
    const remedy = 'Give the address instead: --host ADDRESS, or PIDP10_HOST.';
    return [fail('host', `the name ${host} is not known`, remedy)];
  }
  const where = addresses.every((address) => address === host) ? host : `${host} (${addresses.join(', ')})`;
  if (facts.sockets === undefined)
    return [ok('port', `the line is ${where} port ${port}; this system does not tell who holds it`)];
  return [
    ...checkHolder(facts, where, facts.sockets),
    ...(facts.isHere ? checkListener(facts, facts.sockets) : []),
  ];
}

/** Client ends of connections to the line that processes of this machine have. */
export function holdersOf({
  addresses,
  port,
  sockets = [],
}: Pick<PortFacts, 'addresses' | 'port' | 'sockets'>): TcpSocket[] {
  return sockets.filter(
    ({ state, remotePort, remoteAddress }) =>
      state === 'established' && remotePort === port && addresses.includes(remoteAddress),
  );
}

function checkHolder(facts: PortFacts, where: string, sockets: readonly TcpSocket[]): Check[] {
  const holders = holdersOf({ ...facts, sockets });
  if (holders.length === 0)
    return [ok('port', `the line is ${where} port ${facts.port}; nobody on this machine holds it`)];
  return holders.map(({ inode, uid }) => {
    const owner = facts.owner(inode);
    if (owner !== undefined && owner.pid === facts.daemonPid) {
      return ok('port', `the line ${where} port ${facts.port} is held by the daemon`);
    }
    const who = owner === undefined ? `a process of user ${uid}` : `pid ${owner.pid} (${owner.command})`;
    const remedy =
      'While it does, others hear "Line connection busy": end it there. It need not be logged out for that.';
    return warn('port', `the line ${where} port ${facts.port} is held by ${who}`, remedy);
  });
}

function checkListener({ port }: PortFacts, sockets: readonly TcpSocket[]): Check[] {
  const listeners = sockets.filter(({ state, localPort }) => state === 'listening' && localPort === port);
  if (listeners.length === 0) {
    const remedy = 'Start the simulator (on a PiDP-10: pdp its); the line is there once it runs.';
    return [fail('listener', `nothing listens on port ${port} of this machine`, remedy)];
  }
  const open = listeners.find(({ localAddress }) => isWildcard(localAddress) || !isLoopback(localAddress));
  if (open === undefined) return [ok('listener', `port ${port} listens on loopback only`)];
  const remedy =
    'It asks for no password: let the simulator listen on loopback, or keep the port from networks you do not trust (firewall).';
  return [
    warn(
      'listener',
      `port ${port} listens on ${toInterface(open.localAddress)}: whoever reaches it can type there`,
      remedy,
    ),
  ];
}

function toInterface(address: string): string {
  return isWildcard(address) ? 'all interfaces' : address;
}

type LineStatus = MethodResult<'line.status'>;

/** What the daemon tells of its line. */
export function checkLine({ lineState, activity, advice, goingDown }: LineStatus): Check[] {
  const { state } = lineState;
  if (state !== 'open') {
    const text = describeLine(lineState);
    return [
      state === 'dead'
        ? warn('line', text, 'pidp10ctl open dials again; it is never done by itself.')
        : ok('line', text),
    ];
  }
  return [
    ok('line', `${describeLine(lineState)}; ${describeActivity(activity)}`),
    ...(advice === undefined ? [] : [warn('line-advice', advice)]),
    ...(goingDown === undefined
      ? []
      : [warn('line-down', `ITS is going down: ${goingDown}`, 'Save your work and log out.')]),
  ];
}
