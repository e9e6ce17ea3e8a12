/** `/proc/net/tcp` and `/proc/net/tcp6` (proc(5)): who listens and who is connected, without opening anything. */

export interface TcpSocket {
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly state: 'listening' | 'established' | 'other';
  readonly uid: number;
  /** By which the process is found that has it open; 0 when no process has. */
  readonly inode: number;
}

const STATES: Readonly<Record<string, TcpSocket['state']>> = { '0A': 'listening', '01': 'established' };

/** Rows that are none are left out: the file is the kernel's, its heading is not. */
export function parseProcNetTcp(text: string): TcpSocket[] {
  return text.split('\n').flatMap((row) => {
    const [, local, remote, state = '', , , , uid, , inode] = row.trim().split(/\s+/);
    const from = parseAddress(local);
    const to = parseAddress(remote);
    if (from === undefined || to === undefined) return [];
    return [
      {
        localAddress: from.address,
        localPort: from.port,
        remoteAddress: to.address,
        remotePort: to.port,
        state: STATES[state] ?? 'other',
        uid: Number(uid),
        inode: Number(inode),
      },
    ];
  });
}

/** Words of 32 bits in the machine's byte order, little-endian everywhere this runs; then the port, as one reads it. */
function parseAddress(
  text: string | undefined,
): { readonly address: string; readonly port: number } | undefined {
  const [, hex = '', port = ''] = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/.exec(text ?? '') ?? [];
  if (hex === '') return undefined;
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) =>
    [6, 4, 2, 0].map((at) => Number.parseInt(word.slice(at, at + 2), 16)),
  );
  return { address: toAddress(bytes), port: Number.parseInt(port, 16) };
}

function toAddress(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  if (isMapped) return bytes.slice(12).join('.');
  if (bytes.every((byte) => byte === 0)) return '::';
  if (bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1) return '::1';
  const groups = Array.from(
    { length: 8 },
    (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0),
  );
  return groups.map((group) => group.toString(16)).join(':');
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

/** Listens on every interface. */
export function isWildcard(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}
