import { readdir, readFile, readlink } from 'node:fs/promises';

/** Resources of a server's processes. */
export interface ProcessFacts {
  /** The first one and all that it started. */
  pids: number[];
  /** Resident memory of all together. */
  rssBytes: number;
  openFiles: number;
  /** Processor time of all together so far. */
  cpuMs: number;
}

/** Reads the resources of a process and all its descendants. */
export async function processFacts(pid: number): Promise<ProcessFacts> {
  const pids = await familyOf(pid);
  const [memory, files, time] = await Promise.all([
    Promise.all(pids.map(rssBytes)),
    Promise.all(pids.map(async (each) => (await readdir(`/proc/${each}/fd`)).length)),
    Promise.all(pids.map(cpuMs)),
  ]);
  const sum = (numbers: number[]) => numbers.reduce((before, each) => before + each, 0);
  return { pids, rssBytes: sum(memory), openFiles: sum(files), cpuMs: sum(time) };
}

/**
 * Listening addresses of a process and all its descendants: `ip:port` of TCP sockets that listen,
 * and of all UDP sockets.
 */
export async function listeningAddresses(pid: number): Promise<string[]> {
  const sockets = new Set<string>();
  for (const each of await familyOf(pid)) {
    for (const file of await readdir(`/proc/${each}/fd`)) {
      const link = await readlink(`/proc/${each}/fd/${file}`).catch(() => '');
      const [, inode] = /^socket:\[(\d+)\]$/.exec(link) ?? [];
      if (inode) sockets.add(inode);
    }
  }
  const addresses = new Set<string>();
  for (const table of ['tcp', 'tcp6', 'udp', 'udp6']) {
    const text = await readFile(`/proc/${pid}/net/${table}`, 'utf8').catch(() => '');
    for (const line of text.trim().split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      const listens = table.startsWith('udp') || state === LISTEN;
      if (listens && sockets.has(inode)) addresses.add(addressOf(local));
    }
  }
  return [...addresses].sort();
}

const LISTEN = '0A';
const PAGE_BYTES = 4096;
const TICK_MS = 10;

async function rssBytes(pid: number): Promise<number> {
  const [, pages] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
  return Number(pages) * PAGE_BYTES;
}

async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // After the name, which may contain anything, begins the third field; user and system time are
  // the 14th and 15th (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function familyOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const children = new Set<number>();
  for (const thread of threads) {
    const text = await readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '');
    for (const child of text.split(' ')) if (child !== '') children.add(Number(child));
  }
  const families = await Promise.all([...children].map(familyOf));
  return [pid, ...families.flat()];
}

/** The kernel writes IPv4 addresses as one number in the machine's order of bytes. */
function addressOf(text: string): string {
  const [ip = '', port = ''] = text.split(':');
  const readable = ip.length === 8 ? [...Buffer.from(ip, 'hex')].reverse().join('.') : `[${ip}]`;
  return `${readable}:${Number.parseInt(port, 16)}`;
}
