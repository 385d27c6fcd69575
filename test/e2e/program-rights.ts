import assert from 'node:assert/strict';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserKind } from '../../ground/browser-kind.ts';
import { userChoice } from '../../ground/system/unprivileged-user.ts';
import { browserOfMachine } from '../../runner/machine.ts';
import type { Command } from './command.ts';
import { processesFrom } from './run-processes.ts';
import { STACKS_HERE } from './tested-stacks.ts';

const BROWSER_KINDS: readonly BrowserKind[] = ['chromium', 'firefox'];

export const { user } = userChoice();

/** Rights of a process, from /proc. */
export interface Rights {
  kind: BrowserKind | 'server' | 'client' | 'tshark';
  command: string;
  uid: number;
  capabilities: bigint;
  bounding: bigint;
  noNewPrivileges: boolean;
  /** Whether its capabilities count outside its own user namespace. */
  isInitial: boolean;
}

const USERS = readlinkSync('/proc/self/ns/user');

/** Programs among the processes of a command until it ended, without those that only start them. */
export async function rightsWhile(command: Command): Promise<Rights[]> {
  const seen = new Map<string, Rights>();
  let isOver = false;
  void command.ended.then(() => {
    isOver = true;
  });
  for (; !isOver; await sleep(40)) {
    for (const { pid, command: line } of processesFrom(command.child.pid ?? 0)) {
      const kind = kindOf(pid, line);
      const rights = kind && rightsOf(pid, { kind, command: line });
      if (rights) seen.set(`${pid} ${rights.uid}`, rights);
    }
  }
  return [...seen.values()];
}

function kindOf(pid: number, line: string): Rights['kind'] | null {
  const program = linkOf(`/proc/${pid}/exe`);
  // A program that only prints its version processes no foreign data.
  if (line.endsWith(' --version')) return null;
  const browser = BROWSER_KINDS.find((name) => program === realpathSync(browserOfMachine(name)));
  if (browser) return browser;
  if (program.endsWith('/tshark')) return 'tshark';
  const isRuntime = /\/(bun[^/]*|python[^/]*|quic-vs-https-go)$/.test(program);
  if (isRuntime && /\/servers\/|quic-vs-https-go --/.test(line)) return 'server';
  return isRuntime && /\/clients\/(?!with_files_of_etc)/.test(line) ? 'client' : null;
}

function rightsOf(pid: number, about: Pick<Rights, 'kind' | 'command'>): Rights | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string) =>
      new RegExp(`^${name}:\\s*(\\w+)`, 'm').exec(status)?.[1] ?? 'none';
    return {
      ...about,
      uid: Number(field('Uid')),
      capabilities: BigInt(`0x${field('CapEff')}`),
      bounding: BigInt(`0x${field('CapBnd')}`),
      noNewPrivileges: field('NoNewPrivs') === '1',
      isInitial: readlinkSync(`/proc/${pid}/ns/user`) === USERS,
    };
  } catch {
    return null; // It ended during the inspection.
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

/** Capabilities of a stack's program according to its description. */
function keptBy(line: string): bigint {
  const kept = STACKS_HERE.some(
    ({ stack, keeps }) => keeps?.includes('net_admin') && line.includes(` ${stack} `),
  );
  return kept ? 1n << 12n : 0n;
}

export function assertWithoutRights(all: readonly Rights[]): void {
  for (const { kind, command, uid, capabilities, bounding, noNewPrivileges, isInitial } of all) {
    assert.equal(uid, user?.uid, command);
    assert.ok(noNewPrivileges, command);
    // In its own namespace, which is its sandbox, a browser has rights over that alone.
    if (!isInitial && BROWSER_KINDS.some((browser) => browser === kind)) continue;
    assert.equal(capabilities, keptBy(command), command);
    assert.equal(bounding, keptBy(command), command);
  }
}
