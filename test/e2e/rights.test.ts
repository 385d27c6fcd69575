import assert from 'node:assert/strict';
import { readFileSync, readlinkSync } from 'node:fs';
import { chmod, symlink } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasSandbox } from '../../clients/chromium/sandbox.ts';
import { readRun } from '../../ground/records/read.ts';
import { dropRights, KEEPS_ROOT, userChoice } from '../../ground/system/unprivileged-user.ts';
import { readMachine } from '../../runner/machine.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { type Command, startBenchmark, startProgram } from './command.ts';
import { readPageLoads } from './page-loads.ts';
import { processesFrom } from './run-processes.ts';
import { STACKS_HERE } from './tested-stacks.ts';
import { assertMostlyOk } from './whole-run.ts';

const { user } = userChoice();
const skip = user === null && 'only root drops rights, in a folder that others can read';

/** Rights of a process, as /proc tells of them. */
interface Rights {
  kind: 'chromium' | 'server' | 'client' | 'tshark';
  command: string;
  uid: number;
  capabilities: bigint;
  bounding: bigint;
  noNewPrivileges: boolean;
  /** Whether its capabilities count outside a user namespace of its own. */
  isInitial: boolean;
}

const USERS = readlinkSync('/proc/self/ns/user');

/** Programs that were seen among the processes of a command until it ended, without those that only lead to them. */
async function rightsWhile(command: Command): Promise<Rights[]> {
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
  // What only tells its version opens nothing from elsewhere.
  if (line.endsWith(' --version')) return null;
  if (program === readMachine().chromium) return 'chromium';
  if (program.endsWith('/tshark')) return 'tshark';
  const isRuntime = /\/(bun[^/]*|python[^/]*|quic-vs-https-go)$/.test(program);
  if (isRuntime && /\/servers\/|quic-vs-https-go --/.test(line)) return 'server';
  return isRuntime && /\/clients\/(?!chromium)/.test(line) ? 'client' : null;
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
    return null; // It ended while we looked.
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

/** What a stack's program keeps, as its description says. */
function keptBy(line: string): bigint {
  const kept = STACKS_HERE.some(
    ({ stack, keeps }) => keeps?.includes('net_admin') && line.includes(`--stack ${stack} `),
  );
  return kept ? 1n << 12n : 0n;
}

function assertWithoutRights(all: readonly Rights[]): void {
  for (const { kind, command, uid, capabilities, bounding, noNewPrivileges, isInitial } of all) {
    assert.equal(uid, user?.uid, command);
    assert.ok(noNewPrivileges, command);
    // In a namespace of its own, which is its sandbox, Chromium has rights over that alone.
    if (!isInitial && kind === 'chromium') continue;
    assert.equal(capabilities, keptBy(command), command);
    assert.equal(bounding, keptBy(command), command);
  }
}

/** Those whose runtime others can reach: Python may well be in root's home. */
const STACKS = STACKS_HERE.filter(
  ({ protocol, runtime }) =>
    protocol !== 'http/1.0' && runtime && dropRights(runtime.program).length > 0,
);

test(
  'in a run of root neither browser nor any server is root or has a capability, and Chromium is in its sandbox',
  { skip },
  () =>
    withTemporaryFolder(async (folder) => {
      const out = path.join(folder, 'run');
      const stacks = STACKS.map(({ stack }) => stack).join();
      const command = startBenchmark([
        ...['--sites', 'www.example.org', '--stacks', stacks, '--rtt', '0'],
        ...['--repetitions', '1', '--packets', 'all', '--out', out],
      ]);
      const all = await rightsWhile(command);
      const { pageLoads } = await readPageLoads(out);
      assertMostlyOk(pageLoads);
      assertWithoutRights(all);
      const of = (kind: Rights['kind']) => all.filter((each) => each.kind === kind);
      assert.ok(of('server').length >= STACKS.length, command.output());
      const browsers = of('chromium').map((each) => each.command);
      assert.ok(browsers.some((line) => line.includes('--type=renderer')));
      const sandboxed = hasSandbox(dropRights(readMachine().chromium));
      assert.equal(
        browsers.some((line) => line.includes('--no-sandbox')),
        !sandboxed,
      );
      assert.ok(!/as root/.test(command.output()), command.output());
      assert.equal((await readRun(out)).host?.programsUid, user?.uid);
      // Captures are read at the end of the run; only root may open them.
      assert.ok(of('tshark').length > 0, command.output());
    }),
);

test('neither is a client that makes connections', { skip }, () =>
  withTemporaryFolder(async (folder) => {
    const command = startProgram([
      ...['connect', '--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2', '--rtt', '0'],
      ...['--repetitions', '3', '--out', path.join(folder, 'run')],
    ]);
    const all = await rightsWhile(command);
    assertWithoutRights(all);
    assert.ok(
      all.some(({ kind }) => kind === 'client'),
      command.output(),
    );
  }),
);

test(
  'a Chromium that others cannot reach runs as root, of which stderr and the record say',
  { skip },
  () =>
    withTemporaryFolder(async (folder) => {
      await chmod(folder, 0o700);
      const chromium = path.join(folder, 'chromium');
      await symlink(readMachine().chromium, chromium);
      const out = path.join(folder, 'run');
      const command = startBenchmark(
        [
          '--sites',
          'www.example.org',
          '--stacks',
          'bun-h2',
          '--rtt',
          '0',
          '--repetitions',
          '1',
          '--out',
          out,
        ],
        { CHROMIUM_PATH: chromium },
      );
      await command.ended;
      assertMostlyOk((await readPageLoads(out)).pageLoads);
      assert.match(command.output(), /chromium runs as root: uid \d+ cannot read/);
      assert.equal((await readRun(out)).host?.programsUid, 0);
    }),
);

test('with RUN_AS_ROOT=1 everything is root as before, without a word', { skip }, () =>
  withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    const command = startBenchmark(
      [
        '--sites',
        'www.example.org',
        '--stacks',
        'bun-h2',
        '--rtt',
        '0',
        '--repetitions',
        '1',
        '--out',
        out,
      ],
      { [KEEPS_ROOT]: '1' },
    );
    const all = await rightsWhile(command);
    assertMostlyOk((await readPageLoads(out)).pageLoads);
    assert.deepEqual([...new Set(all.map(({ uid }) => uid))], [0]);
    assert.ok(!/as root/.test(command.output()), command.output());
  }),
);
