import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { NetworkError } from '../../ground/system/errors.ts';
import { PATH_DEVICE } from '../../network/addresses.ts';
import { type PathAgent, withPathAgent } from '../../network/agent.ts';
import { calibrateUntilRight } from '../../network/calibration/until-right.ts';
import { namespaceProcessesOf } from '../../network/namespace-processes.ts';
import type { Path } from '../../network/path.ts';
import { withUserspacePath } from '../../network/userspace/backend.ts';
import { conditionOf } from '../unit/network/calibration/example.ts';
import { agentOf, childrenOf, eventually, type Process, processes } from './processes.ts';
import { orSkip, PYTHON, UNCHANGED } from './userspace-path.ts';

/** More than the limit of any request, and less than the time of a test that hangs. */
const LIMIT_MS = 40_000;

/** Every request to a path fails, gives the reason, and stays within its time limit. */
async function assertBroken(made: Path, reason: RegExp): Promise<void> {
  await assertFails('count', () => made.count(), reason);
  await assertFails('apply', () => made.apply(UNCHANGED), reason);
}

async function assertFails(
  what: string,
  use: () => Promise<unknown>,
  reason: RegExp,
): Promise<void> {
  const started = performance.now();
  await assert.rejects(use(), (error: Error) => {
    assert.ok(error instanceof NetworkError, `${what}: ${error.stack}`);
    assert.match(error.message, reason, what);
    return true;
  });
  const tookMs = performance.now() - started;
  assert.ok(tookMs < LIMIT_MS, `${what} took ${tookMs} ms`);
}

/** The prober's programs are separate, and detect in their own way that nothing returns. */
const NOT_CALIBRATED =
  /does not carry packets|prober's server did not start|prober failed|not answer within/;

/**
 * Breaks a path, expects every use of it to report so, and nothing to be left. carriesOn: packets
 * still cross it.
 */
function breakTest(
  what: string,
  reason: RegExp,
  breakIt: (parts: { made: Path; agent: Process; client: Process; link: Process }) => unknown,
  { carriesOn = false } = {},
): void {
  test(`${what}: the path is known to be broken, and ends`, async (t) => {
    const options = { python: PYTHON, hosts: 1, congestionControl: 'cubic', initcwnd: null };
    await orSkip(t, async () => {
      let children: Process[] = [];
      await withUserspacePath(options, async (made) => {
        await made.apply(UNCHANGED);
        const agent = agentOf(process.pid);
        children = [agent, ...childrenOf(agent)];
        assert.equal(children.length, 4, 'the agent, two holders and the link');
        const [, first, second, third] = children as [Process, Process, Process, Process];
        const client = holderOf(made, 'client', [first, second, third]);
        const server = holderOf(made, 'server', [first, second, third]);
        const link = [first, second, third].find((each) => each !== client && each !== server);
        assert.ok(link);
        await breakIt({ made, agent, client, link });
        await assertBroken(made, reason);
        const calibration = () => calibrateUntilRight(made, conditionOf({}), PYTHON);
        if (!carriesOn) await assertFails('calibration', calibration, NOT_CALIBRATED);
      });
      await eventually(() => {
        const left = processes().filter(({ pid }) => children.some((each) => each.pid === pid));
        assert.deepEqual(left, []);
      });
    });
  });
}

/** The process whose namespaces stand for one end. */
function holderOf(made: Path, end: 'client' | 'server', among: Process[]): Process {
  const pid = /\/proc\/(\d+)\/ns\/net/.exec(made.agent.enter(end).join(' '))?.[1];
  const holder = among.find((each) => each.pid === Number(pid));
  assert.ok(holder, `${end}: ${pid}`);
  return holder;
}

breakTest('the agent is killed', /path agent ended \(SIGKILL\)/, ({ agent }) =>
  process.kill(agent.pid, 'SIGKILL'),
);

breakTest(
  'the agent is stopped',
  /path agent did not answer within 10 s/,
  ({ agent }) => process.kill(agent.pid, 'SIGSTOP'),
  // The link is a separate program. No calibration is made without apply() before it.
  { carriesOn: true },
);

breakTest(
  'the holder of a namespace is killed',
  /the process that holds the client namespace has ended/,
  async ({ client }) => {
    process.kill(client.pid, 'SIGKILL');
    await eventually(() => assert.throws(() => readlinkSync(`/proc/${client.pid}/ns/net`)));
  },
);

breakTest('the link is killed', /the link's program has ended/, ({ link }) =>
  process.kill(link.pid, 'SIGKILL'),
);

breakTest('the link is stopped', /the link's program did not answer within 5 s/, ({ link }) =>
  process.kill(link.pid, 'SIGSTOP'),
);

for (const end of ['client', 'server'] as const) {
  breakTest(
    `the device at the ${end}'s end is deleted`,
    new RegExp(`the device at the ${end}'s end was deleted`),
    ({ made }) => made.agent.run(end, ['ip', 'link', 'del', PATH_DEVICE]),
  );
}

test('a stopped agent does not outlive a killed run', async (t) => {
  const program = path.join(import.meta.dirname, 'clients', 'path-holder.ts');
  await orSkip(t, async () => {
    const run = spawn(process.execPath, [program, PYTHON], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(run.stdout, 'data');
    const agent = agentOf(run.pid ?? 0);
    const family = [agent, ...childrenOf(agent)];
    process.kill(agent.pid, 'SIGSTOP');
    run.kill('SIGKILL');
    await eventually(() => {
      const left = processes().filter(({ pid }) => family.some((each) => each.pid === pid));
      assert.deepEqual(left, []);
    });
  });
});

test("the cleanup of a broken path's namespaces spares processes that reuse their numbers", async (t) => {
  const options = { python: PYTHON, namespaces: ['client', 'server'] as const };
  await orSkip(t, () =>
    withPathAgent(options, async (broken) => {
      const inNamespaces = namespaceProcessesOf(broken);
      process.kill(agentOf(process.pid).pid, 'SIGKILL');
      // The kernel gives numbers of namespaces that are gone to new ones.
      await eventually(() => assert.deepEqual(processes().filter(isOf(broken)), []));
      await withPathAgent(options, async (other) => {
        assert.deepEqual(await inNamespaces.end(), []);
        assert.equal(processes().filter(isOf(other)).length, 2);
      });
    }),
  );
});

/** Whether a process stands for an end of a path. */
function isOf(agent: PathAgent) {
  const holders = [agent.holderOf('client'), agent.holderOf('server')];
  return ({ pid }: Process) => holders.includes(pid);
}
