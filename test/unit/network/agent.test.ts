import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { MachineError, NetworkError } from '../../../ground/system/errors.ts';
import { CommandError, type PathAgent, withPathAgent } from '../../../network/agent.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { NOTHING_CARRIED } from '../ground/records/link-sample.ts';

const READY = {
  ready: true,
  pids: { client: 11, server: 12 },
  userNamespace: false,
  realtime: 'fifo',
};

const LINK = { client: 'path0', server: 'path0', longestPacketBytes: 1500, segmentation: false };

/**
 * A program in place of the agent that prints a test's lines: one now, and one for each request.
 */
function fakePython(t: TestContext, first: object, answers: object[] = [], ending = ''): string {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'python');
  const lines = [
    '#!/bin/sh',
    `printf '%s\\n' '${JSON.stringify(first)}'`,
    ...answers.flatMap((answer) => ['read request', `printf '%s\\n' '${JSON.stringify(answer)}'`]),
    ending,
    'exec cat >/dev/null',
  ];
  writeFileSync(file, lines.join('\n'));
  chmodSync(file, 0o755);
  return file;
}

/** As withPathAgent(), with a shorter timeout where a test needs it. */
function withAgent<T>(
  python: string,
  use: (agent: PathAgent) => Promise<T>,
  answerLimitMs?: number,
): Promise<T> {
  return withPathAgent({ python, namespaces: ['client', 'server'], answerLimitMs }, use);
}

/** An error of the network that is no failed command. */
const networkError = (message: RegExp) => (error: Error) =>
  error instanceof NetworkError && !(error instanceof CommandError) && message.test(error.message);

test('enters a namespace by its network alone as root', async (t) => {
  const prefix = await withAgent(fakePython(t, READY), async (agent) => agent.enter('server'));
  assert.deepEqual(prefix, ['nsenter', '--net=/proc/12/ns/net', '--']);
});

test('enters the user namespace too as an ordinary user, and keeps the user', async (t) => {
  const python = fakePython(t, { ...READY, userNamespace: true, realtime: 'eevdf' });
  await withAgent(python, async (agent) => {
    assert.deepEqual(agent.enter('client'), [
      'nsenter',
      '--user=/proc/11/ns/user',
      '--net=/proc/11/ns/net',
      '--preserve-credentials',
      '--',
    ]);
    assert.equal(agent.realtime, 'eevdf');
  });
});

test('reports the actual priority of a link, not the one that was tried before', async (t) => {
  const python = fakePython(t, READY, [{ id: 1, status: 0, realtime: 'none' }]);
  await withAgent(python, async (agent) => {
    assert.equal(agent.realtime, 'fifo');
    await agent.openLink(LINK);
    assert.equal(agent.realtime, 'none');
  });
});

test('gives parallel requests their own responses', async (t) => {
  const python = fakePython(t, READY, [
    { id: 1, status: 0, stdout: 'one', stderr: '' },
    { id: 2, status: 0, stdout: 'two', stderr: '' },
  ]);
  await withAgent(python, async (agent) => {
    const both = [agent.run('client', ['a']), agent.run('server', ['b'])];
    assert.deepEqual(await Promise.all(both), ['one', 'two']);
  });
});

test('reports packets of the tap with their times to the ns', async (t) => {
  const packets = [{ toServer: true, timeNs: '1795345678901234567', bytes: 'RQA=' }];
  const counts = {
    tcp: { acknowledgements: 1, dataPackets: 2, largestWindow: null },
    quic: { sentPackets: 3, receivedPackets: 4 },
  };
  const python = fakePython(t, READY, [{ id: 1, status: 0, packets, missed: 2, counts }]);
  await withAgent(python, async (agent) => {
    assert.deepEqual(await agent.takePackets(), {
      packets: [
        { toServer: true, timeNs: 1_795_345_678_901_234_567n, bytes: Buffer.from([0x45, 0]) },
      ],
      missed: 2,
      counts,
    });
  });
});

test('reports a failed command with command, namespace and complaint, and runs the next one', async (t) => {
  const python = fakePython(t, READY, [
    { id: 1, status: 2, stdout: '', stderr: 'Cannot find device "path0"\n' },
    { id: 2, status: 0, stdout: 'fine', stderr: '' },
  ]);
  await withAgent(python, async (agent) => {
    await assert.rejects(
      agent.run('client', ['ip', 'link']),
      new CommandError(
        '`ip link` in the client namespace failed with status 2: Cannot find device "path0"',
      ),
    );
    assert.equal(await agent.run('client', ['ip', 'link']), 'fine');
  });
});

test('explains what to allow on a machine without namespaces', async (t) => {
  const python = fakePython(t, { error: 'no namespaces here', remedy: 'allow them' });
  await assert.rejects(
    withAgent(python, async () => {}),
    { name: 'MachineError', message: /no namespaces here\.\nWhat to do: allow them\./ },
  );
});

test('explains what to allow on a machine without TUN devices', async (t) => {
  const refusal = { id: 1, status: 3, error: 'no /dev/net/tun', remedy: 'sudo modprobe tun' };
  await assert.rejects(
    withAgent(fakePython(t, READY, [refusal]), (agent) => agent.openLink(LINK)),
    MachineError,
  );
});

test('reports an agent that ends too early with its last words', async (t) => {
  const python = fakePython(t, READY, [], 'echo Traceback >&2; exit 1');
  await assert.rejects(
    withAgent(python, (agent) => agent.run('client', ['ip', 'link'])),
    { name: 'NetworkError', message: /ended \(1\).*\n {2}Traceback/ },
  );
});

test('reports an agent that does not answer in time, and drops its late response', async (t) => {
  const python = fakePython(
    t,
    READY,
    [],
    `read request; sleep 0.4; printf '%s\\n' '{"id":1,"status":0,"stdout":"late"}'`,
  );
  const silent = networkError(/did not answer within 0\.2 s/);
  await withAgent(
    python,
    async (agent) => {
      const first = agent.run('client', ['ip', 'link']);
      await assert.rejects(Promise.all([first, agent.run('client', ['ip', 'route'])]), silent);
      await new Promise((resolve) => setTimeout(resolve, 400));
      await assert.rejects(agent.countLink(), silent);
    },
    200,
  );
});

test('reports a path with a missing part, distinct from a failed command', async (t) => {
  const stderr = 'the process that holds the client namespace has ended';
  const python = fakePython(t, READY, [{ id: 1, status: 1, stderr, gone: true }]);
  await assert.rejects(
    withAgent(python, (agent) => agent.run('client', ['ip', 'link'])),
    networkError(/^The path failed: the process that holds the client namespace/),
  );
});

test('reports a missing Python as an error of the machine', async () => {
  await assert.rejects(
    withAgent('/nowhere/python', async () => {}),
    MachineError,
  );
});

test('does not wait for a response in an interrupted run', async (t) => {
  const interrupt = new AbortController();
  const python = fakePython(t, READY);
  const running = withPathAgent(
    { python, namespaces: ['client'], signal: interrupt.signal },
    (agent) => agent.run('client', ['sleep', '60']),
  );
  setTimeout(() => interrupt.abort(new Error('interrupted')), 50);
  await assert.rejects(running, /interrupted/);
});

test('returns samples of the link in parts, with times of one clock', async (t) => {
  const [busy, idle] = [
    [3, 4500, 1, 2, 3_600_000, 1500.4, 1_250_000, 4542],
    [0, 0, 0, 0, 0, 0, 0, 0],
  ];
  const part = { status: 0, beganMs: 500.25, stepMs: 10 };
  const python = fakePython(t, READY, [
    { id: 1, ...part, steps: [[idle, idle]], next: 1 },
    { id: 2, ...part, steps: [[busy, idle]], next: null },
  ]);
  await withAgent(python, async (agent) => {
    assert.deepEqual(await agent.sampleLink(), [
      { atMs: 500.25, forMs: 10, toServer: NOTHING_CARRIED, toClient: NOTHING_CARRIED },
      {
        atMs: 510.25,
        forMs: 10,
        toServer: {
          packets: 3,
          bytes: 4500,
          lost: 1,
          queueDrops: 2,
          busyMs: 3.6,
          mostQueuedBytes: 1500,
          mostWaitMs: 1.25,
          capacityBytes: 4542,
        },
        toClient: NOTHING_CARRIED,
      },
    ]);
  });
});

test('writes large responses in parts, each from where the last one ended', async (t) => {
  const python = fakePython(t, READY, [
    { id: 1, status: 0 },
    { id: 2, status: 0, next: 400, missed: 3 },
    { id: 3, status: 0, next: null, missed: 3 },
    { id: 4, status: 1, stderr: '[Errno 28] No space left on device' },
  ]);
  await withAgent(python, async (agent) => {
    await agent.beginTcpInfo({
      everyMs: 5,
      keepsConnections: false,
      end: 'client',
      client: '10.89.0.1',
    });
    assert.deepEqual(await agent.writeTcpInfo('/a.gz'), { missed: 3 });
    await assert.rejects(
      agent.writeTcpInfo('/b.gz'),
      new CommandError(
        'Writing TCP_INFO to /b.gz failed with status 1: [Errno 28] No space left on device',
      ),
    );
  });
});
