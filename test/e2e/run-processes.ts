import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process of a run, from /proc. */
export interface RunProcess {
  pid: number;
  parent: number;
  /** Its command line. */
  command: string;
  /** When it was started, in ticks since the machine was. */
  startTicks: number;
  /** Its network namespace. */
  network: string;
}

/** A process and all that descend from it, by the time of their start. */
export function processesFrom(root: number): RunProcess[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const found = processOf(Number(pid));
      return found ? [found] : [];
    });
  const own = new Set([root]);
  for (let before = 0; before < own.size; ) {
    before = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  return all.filter(({ pid }) => own.has(pid)).sort((a, b) => a.startTicks - b.startTicks);
}

function processOf(pid: number): RunProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may have anything in it; state and parent come behind it, the start as the 22nd field.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return null;
    return {
      pid,
      parent: Number(fields[1]),
      startTicks: Number(fields[19]),
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
      network: readlinkSync(`/proc/${pid}/ns/net`),
    };
  } catch {
    return null; // It ended during the inspection.
  }
}

/**
 * The working Chromium with all its processes: the oldest one, since the next may be starting
 * already.
 */
export function browserAtWork(all: readonly RunProcess[]): RunProcess[] {
  const first = all.find(
    ({ command }) =>
      /--user-data-dir=\S*quic-vs-https-\d+\S*\/profile-/.test(command) && !isHelper(command),
  );
  return first ? processesFrom(first.pid) : [];
}

function isHelper(command: string): boolean {
  return / --type=/.test(command);
}

/** Its renderer processes. */
export function renderersOf(browser: readonly RunProcess[]): RunProcess[] {
  return browser.filter(({ command }) => / --type=renderer/.test(command));
}

/** First processes of the servers: the runner's own children. */
export function serversOf(all: readonly RunProcess[], runner: number): RunProcess[] {
  return all.filter(({ command, parent }) => parent === runner && / \S*\/servers\//.test(command));
}

/** The process that keeps these servers' namespace. */
export function holderOf(all: readonly RunProcess[], network: string): RunProcess | undefined {
  return all.find((each) => each.network === network && /agent\/agent\.py/.test(each.command));
}

/** Sends a signal to processes that may have ended meanwhile. */
export function signalAll(processes: readonly { pid: number }[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has.
    }
  }
}
