import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { disturbanceText, INTERFERENCE_RULE } from '../../ground/host/interference-rule.ts';
import {
  machineUseBetween,
  startMachineWatch,
  takeSnapshot,
} from '../../ground/host/machine-watch.ts';
import type { MachineUse } from '../../ground/records/machine-use.ts';
import { type PathAgent, withPathAgent } from '../../network/agent.ts';
import { readMachine } from '../../runner/machine.ts';
import { onCores, parseCoreList, readCores } from '../../runner/pinning.ts';
import { eventually } from './processes.ts';

// Ends by itself, in case a test is killed before it can end it.
const BUSY = 'const end = Date.now() + 20_000; while (Date.now() < end);';
const WATCH_MS = 600;

/**
 * Starts a program of the run (by default a sleeper) in its own session as the run does, and waits
 * until its start is over.
 */
async function startOwn(t: TestContext, script = 'setTimeout(() => {}, 20_000)'): Promise<number> {
  const child = spawn(process.execPath, ['-e', `console.log('begun');${script}`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  assert.ok(child.pid);
  return child.pid;
}

/**
 * Starts a busy program outside the run: its parent ends at once, and its session was never ours.
 */
function startForeign(t: TestContext): number {
  const starter = `const { spawn } = require('node:child_process');
    const { pid } = spawn(process.execPath, ['-e', ${JSON.stringify(BUSY)}], { detached: true, stdio: 'ignore' });
    console.log(pid);
    process.exit();`;
  const pid = Number(execFileSync(process.execPath, ['-e', starter], { encoding: 'utf8' }));
  t.after(() => process.kill(pid, 'SIGKILL'));
  return pid;
}

test("attributes another program's work as a disturbance, not to the run", async (t) => {
  const own = await startOwn(t);
  startForeign(t);
  const watch = startMachineWatch({ serverPid: own, clientPid: own });
  await sleep(WATCH_MS);
  const use = watch.end();
  // Less than a core's worth: tests share the machine with other programs.
  assert.ok(use.otherCpuPercent > INTERFERENCE_RULE.otherCpuPercent, `${use.otherCpuPercent} %`);
  assert.match(disturbanceText(use, INTERFERENCE_RULE) ?? '', /other programs took/);
  assert.ok((use.serverCpuMs ?? 999) < 200, `${use.serverCpuMs} ms`);
});

test("attributes the run's own work to server and browser", async (t) => {
  const server = await startOwn(t, BUSY);
  const browser = await startOwn(
    t,
    // The work is done by a child, as Chromium's is.
    `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(BUSY)}]);`,
  );
  const watched = { serverPid: server, clientPid: browser, otherClientPids: [] };
  const before = takeSnapshot({ ...watched, runnerPid: process.pid });
  let after = before;
  let use: MachineUse | undefined;
  // Until a busy machine has let both of them work.
  await eventually(async () => {
    await sleep(WATCH_MS);
    after = takeSnapshot({ ...watched, runnerPid: process.pid });
    use = machineUseBetween(before, { ...after, waited: after }, 0);
    assert.ok((use.serverCpuMs ?? 0) > 20, `server ${use.serverCpuMs} ms`);
    assert.ok((use.clientCpuMs ?? 0) > 20, `browser ${use.clientCpuMs} ms`);
  });
  assert.ok(use);
  // The same two samples with only the server as the run: the rest of the run is then foreign work,
  // however busy the machine is otherwise.
  const serverAlone = machineUseBetween(
    { ...before, run: before.server },
    { ...after, run: after.server, waited: after },
    0,
  );
  const movedMs =
    ((serverAlone.otherCpuPercent - use.otherCpuPercent) * (after.atMs - before.atMs)) / 100;
  assert.ok(
    movedMs > (use.clientCpuMs ?? 0) - 1,
    `${movedMs} ms became others' work, the browser took ${use.clientCpuMs} ms`,
  );
});

test('reports null for a browser that ends during the watch', async (t) => {
  const server = await startOwn(t);
  const browser = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  const watch = startMachineWatch({ serverPid: server, clientPid: browser.pid ?? 0 });
  const ended = once(browser, 'exit');
  browser.stdin.end();
  await ended;
  assert.equal(watch.end().clientCpuMs, null);
});

// Binds a socket with the smallest buffer there is, never reads it, and is sent more than fits.
const FLOOD = `
import socket, sys, time
to = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
to.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
to.bind(("127.0.0.1", 0))
print("bound", flush=True)
sys.stdin.readline()
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(200):
    sender.sendto(bytes(1200), to.getsockname())
print("sent", flush=True)
sys.stdin.readline()
`;

/** A program in a namespace, after its first line. */
async function startInside(
  t: TestContext,
  agent: PathAgent,
  name: 'client' | 'server',
): Promise<ChildProcess> {
  const [command = '', ...args] = [...agent.enter(name), readMachine().python, '-c', FLOOD];
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data');
  return child;
}

test('counts datagrams that a full socket loses at that end only', async (t) => {
  const { python } = readMachine();
  await withPathAgent({ python, namespaces: ['client', 'server'] }, async (agent) => {
    for (const name of ['client', 'server'] as const) {
      await agent.run(name, ['ip', 'link', 'set', 'lo', 'up']);
    }
    const server = await startInside(t, agent, 'server');
    const browser = await startInside(t, agent, 'client');
    const pids = { serverPid: server.pid ?? 0, clientPid: browser.pid ?? 0 };
    const counts: number[] = [];
    for (const flooded of [server, browser]) {
      const watch = startMachineWatch(pids);
      flooded.stdin?.write('go\n');
      await once(flooded.stdout as NonNullable<ChildProcess['stdout']>, 'data');
      counts.push(watch.end().udpReceiveBufferErrors);
    }
    const quiet = startMachineWatch(pids);
    const outside = startMachineWatch({ serverPid: process.pid, clientPid: process.pid });
    for (const count of counts) assert.ok(count > 100 && count < 200, counts.join());
    assert.equal(quiet.end().udpReceiveBufferErrors, 0);
    assert.equal(outside.end().udpReceiveBufferErrors, 0);
  });
});

test('pins a program and its children to the named cores', (t) => {
  const last = readCores().at(-1)?.number ?? 0;
  const [command = '', ...args] = [...onCores([last]), 'sh', '-c', 'cat /proc/self/status; :'];
  let status: string;
  try {
    status = execFileSync(command, args, { encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return t.skip('no taskset on this machine');
  }
  const allowed = /^Cpus_allowed_list:\s+(\S+)$/m.exec(status)?.[1] ?? '';
  assert.deepEqual(parseCoreList(allowed), [last]);
});
