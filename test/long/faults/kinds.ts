import { execFile } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PATH_DEVICE } from '../../../network/addresses.ts';
import {
  browserAtWork,
  holderOf,
  processesFrom,
  type RunProcess,
  renderersOf,
  serversOf,
  signalAll,
} from '../../e2e/run-processes.ts';
import { withLittleMemory } from './memory.ts';

/** A run under fault injection. */
export interface FaultTarget {
  /** The process of the command line. */
  pid: number;
  /** Its --out, on a disk that may be filled. */
  out: string;
  python: string;
  /** A whole number from 0 to `below` - 1, from the seed. */
  number(below: number): number;
}

/** Ends the fault, once a load has met it; does nothing if the run itself has to remove it. */
export type Heal = () => Promise<void>;

/** A fault of a run. */
export interface FaultKind {
  name: string;
  /** The action. */
  how: string;
  /** Codes of a load that meets it. */
  codes: readonly string[];
  /** Injects it; null: there was no target at this moment. */
  inject(victim: FaultTarget): Promise<Heal | null>;
}

const SUSPENDED_MS = 3000;
const CLOCK_JUMP_S = 3;
const CLOCK_MOMENT_S = 1.2;
const GARBAGE_S = 60;
const NOTHING_TO_HEAL: Heal = async () => {};

/**
 * All of them; each is injected from outside of the run, by means that a machine offers to its
 * administrator.
 */
export const FAULT_KINDS: readonly FaultKind[] = [
  {
    name: 'Chromium is killed',
    how: 'SIGKILL to the browser process at work',
    // Also once the load is over, while it reports its handshakes.
    codes: ['browser-failed', 'handshakes-unknown'],
    inject: async ({ pid }) => signalled(browserAtWork(processesFrom(pid)).slice(0, 1), 'SIGKILL'),
  },
  {
    name: "a page's process is killed",
    how: 'SIGKILL to the renderers of the browser at work',
    codes: ['page-crashed', 'handshakes-unknown'],
    inject: async ({ pid }) => signalled(renderersOf(browserAtWork(processesFrom(pid))), 'SIGKILL'),
  },
  {
    name: 'Chromium hangs',
    how: 'SIGSTOP to all processes of the browser at work',
    codes: ['browser-hung', 'timeout'],
    inject: async ({ pid }) => signalled(browserAtWork(processesFrom(pid)), 'SIGSTOP'),
  },
  {
    name: 'memory is short',
    how: 'the renderers of the browser at work get a memory limit of 256 kB more than they have, and meet the OOM killer',
    codes: ['page-crashed', 'handshakes-unknown', 'browser-failed', 'timeout'],
    inject: async ({ pid }) => withLittleMemory(renderersOf(browserAtWork(processesFrom(pid)))),
  },
  {
    name: 'a server is killed',
    how: 'SIGKILL to one of the servers',
    codes: ['server-failed'],
    inject: async (victim) => signalled(oneServer(victim), 'SIGKILL'),
  },
  {
    name: 'a server hangs',
    how: 'SIGSTOP to all processes of one server',
    codes: ['timeout'],
    inject: async (victim) => signalled(oneServer(victim), 'SIGSTOP'),
  },
  {
    name: 'servers answer garbage',
    how: 'a program takes the sockets of all servers over and sends 1 kB of all bytes on each connection and to each datagram',
    // QUIC ignores garbage.
    codes: ['navigation-failed', 'request-failed', 'timeout'],
    inject: answerGarbage,
  },
  {
    name: 'the disk is full',
    how: 'a file takes all room of the file system that holds the results',
    codes: ['har-failed'],
    inject: fillDisk,
  },
  {
    name: 'a network device is deleted',
    how: `\`ip link del ${PATH_DEVICE}\` in the namespace of the servers`,
    codes: ['network-failed', 'navigation-failed', 'request-failed', 'timeout'],
    inject: deleteDevice,
  },
  {
    name: 'a network namespace loses its holder',
    how: 'SIGKILL to the process that keeps the namespace of the servers',
    codes: ['network-failed'],
    inject: async ({ pid }) => {
      const all = processesFrom(pid);
      const [server] = serversOf(all, pid);
      const holder = server && holderOf(all, server.network);
      return holder ? signalled([holder], 'SIGKILL') : null;
    },
  },
  {
    name: 'the clock jumps',
    how: `the machine's clock is set forward by ${CLOCK_JUMP_S} s, and right again ${CLOCK_MOMENT_S} s later`,
    codes: ['clock-jumped'],
    inject: async ({ python }) => {
      const args = [
        path.join(import.meta.dirname, 'clock.py'),
        `${CLOCK_JUMP_S}`,
        `${CLOCK_MOMENT_S}`,
      ];
      await promisify(execFile)(python, args);
      return NOTHING_TO_HEAL;
    },
  },
  {
    name: 'the machine is suspended',
    how: `SIGSTOP to all processes of the run, SIGCONT ${SUSPENDED_MS / 1000} s later`,
    codes: ['machine-stalled', 'timeout'],
    inject: async ({ pid }) => {
      const all = processesFrom(pid);
      signalAll(all, 'SIGSTOP');
      await sleep(SUSPENDED_MS);
      signalAll(all, 'SIGCONT');
      return NOTHING_TO_HEAL;
    },
  },
];

function signalled(processes: readonly RunProcess[], signal: NodeJS.Signals): Heal | null {
  if (processes.length === 0) return null;
  signalAll(processes, signal);
  return NOTHING_TO_HEAL;
}

/** All processes of a server. */
function oneServer({ pid, number }: FaultTarget): RunProcess[] {
  const servers = serversOf(processesFrom(pid), pid);
  const server = servers[number(Math.max(1, servers.length))];
  return server ? processesFrom(server.pid) : [];
}

async function answerGarbage({ pid, python }: FaultTarget): Promise<Heal | null> {
  const servers = serversOf(processesFrom(pid), pid).flatMap((each) => processesFrom(each.pid));
  if (servers.length === 0) return null;
  signalAll(servers, 'SIGSTOP');
  const child = execFile(python, [
    path.join(import.meta.dirname, 'garbage.py'),
    `${GARBAGE_S}`,
    ...servers.map((each) => `${each.pid}`),
  ]);
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stderr?.pipe(process.stderr);
  return async () => {
    child.kill();
    await ended;
  };
}

async function fillDisk({ out }: FaultTarget): Promise<Heal> {
  const file = path.join(path.dirname(out), 'filling');
  const descriptor = openSync(file, 'w');
  try {
    for (let size = 1 << 20; size >= 512; size /= 2) {
      const part = Buffer.alloc(size, 'full');
      try {
        while (writeSync(descriptor, part) === size);
      } catch {
        // As much as there was room for; a smaller part may still fit.
      }
    }
  } finally {
    closeSync(descriptor);
  }
  return () => rm(file);
}

async function deleteDevice({ pid }: FaultTarget): Promise<Heal | null> {
  const [server] = serversOf(processesFrom(pid), pid);
  if (!server) return null;
  const enter = [`--net=/proc/${server.pid}/ns/net`, '--'];
  await promisify(execFile)('nsenter', [...enter, 'ip', 'link', 'del', PATH_DEVICE]);
  return NOTHING_TO_HEAL;
}
