import assert from 'node:assert/strict';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { MachineError } from '../../../../ground/system/errors.ts';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import { type Command, startCommand, startProgram } from '../../../../test/e2e/command.ts';
import { assertNoProcessLeft, temporaryFoldersOf } from '../../../../test/e2e/left-behind.ts';
import { agentOf, eventually } from '../../../../test/e2e/processes.ts';
import { orSkip, PYTHON } from '../../../../test/e2e/userspace-path.ts';

const FOLDER = path.join(import.meta.dirname, 'network-command');
const PROGRAM = path.join(projectFolder, 'bin', 'quic-vs-https.ts');
const SERVER = `"${process.execPath}" "${path.join(FOLDER, 'server.ts')}"`;
const CLIENT = [process.execPath, path.join(FOLDER, 'client.ts')];

/** The client makes requests to the server over a path. */
function served(network: string[], ...words: string[]): Command {
  return startProgram(['network', ...network, '--server', SERVER, '--', ...CLIENT, ...words]);
}

/**
 * A test of `npm run network`; skipped only if the machine itself reports that it cannot make a
 * path.
 */
function pathTest(name: string, use: () => Promise<void>): void {
  test(name, (t: TestContext) => orSkip(t, use));
}

/** Waits for its end, after which nothing is left; returns its exit status. */
async function endOf(command: Command): Promise<number | null> {
  const status = await command.ended;
  await assertNoProcessLeft(command);
  assert.deepEqual(temporaryFoldersOf(command.child.pid), []);
  if (status === 3) throw new MachineError(command.output());
  return status;
}

/** As from a cron job: Ctrl-C comes from the parent, not from a terminal. */
function withoutTerminal(...words: string[]): Command {
  return startCommand('setsid', [process.execPath, PROGRAM, 'network', ...words]);
}

/** On a terminal with keyboard input. */
function typed(steps: [string, string | number][], ...words: string[]): Command {
  const program = [process.execPath, PROGRAM, 'network', ...words];
  return startCommand(PYTHON, [
    path.join(FOLDER, 'terminal.py'),
    JSON.stringify(steps),
    ...program,
  ]);
}

const CTRL_C: [string, number] = ['key', 3];

pathTest('gives a command the requested round trip, and prints the proof on stderr', async () => {
  const command = served(['--rtt', '40'], 'round-trip');
  assert.equal(await endOf(command), 0, command.output());
  const fastestMs = Number(command.results());
  assert.ok(fastestMs >= 39.5 && fastestMs < 45, command.output());
  assert.match(
    command.output(),
    /round trip +configured 40 ms, measured over UDP \d+\.\d\d ms \((39|40)\.\d\d to /,
  );
  assert.match(command.output(), /The server listens: .*tcp 198\.18\.1\.1:8000/);
  assert.match(command.output(), /COMMAND ended with status 0\./);
});

pathTest('shows the requested round trip in ping, and reports each of its packets', async () => {
  const script = 'ping -c 10 -i 0.2 -q "$SERVER_ADDRESS"';
  const command = startProgram(['network', '--rtt', '40', '--', 'sh', '-c', script]);
  assert.equal(await endOf(command), 0, command.output());
  const [, fastestMs] = /min\/avg\/max\/mdev = ([\d.]+)\//.exec(command.results()) ?? [];
  assert.ok(Number(fastestMs) >= 39.5 && Number(fastestMs) < 45, command.output());
  for (const end of ['server', 'client'])
    assert.match(command.output(), new RegExp(`to the ${end}  10 packets, 980 B; 0 lost`));
});

pathTest('gives a command a limited rate', async () => {
  const command = served(['--down', '10000'], 'rate', '2000000');
  assert.equal(await endOf(command), 0, command.output());
  const kbps = Number(command.results());
  // Headers take a twentieth.
  assert.ok(kbps > 8000 && kbps < 9900, command.output());
  const [, foundMbps] =
    /rate down +configured 10\.0 Mbit\/s, measured ([\d.]+)/.exec(command.output()) ?? [];
  // The wait for a machine that stays late is limited, and the proof says so.
  const isLate = /^ {2}The path was late when it was measured/m.test(command.output());
  assert.ok(Number(foundMbps) < 11 && (Number(foundMbps) >= 9 || isLate), command.output());
});

pathTest('loses the requested datagrams, and reports them', async () => {
  const command = served(['--loss', '10'], 'datagrams', '500');
  assert.equal(await endOf(command), 0, command.output());
  // Six standard deviations.
  const arrived = Number(command.results());
  assert.ok(arrived > 409 && arrived < 491, command.output());
  const [, packets, lost] =
    /to the server +(\d+) packets, [^;]+; (\d+) lost/.exec(command.output()) ?? [];
  assert.ok(Number(packets) >= arrived && Number(lost) >= 500 - arrived, command.output());
});

pathTest("passes through a command's input, output and exit status", async () => {
  const script = 'cat; echo "at $SERVER_ADDRESS" >&2; exit 17';
  const command = startProgram(['network', '--quiet', '--', 'sh', '-c', script], {}, 'given');
  assert.equal(await endOf(command), 17, command.output());
  assert.equal(command.results(), 'given');
  assert.equal(command.output().replace('given', ''), 'at 198.18.1.1\n');
});

pathTest('gives a command the path and no other network', async () => {
  const command = startProgram(['network', '--quiet', '--', 'ip', '-brief', 'address']);
  assert.equal(await endOf(command), 0, command.output());
  const devices = command
    .results()
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/)[0]);
  assert.deepEqual(devices, ['lo', 'path0']);
});

test('rejects a missing command before making a path', async () => {
  const command = startProgram(['network', '--rtt', '30', '--', 'no-such-program', '--rtt']);
  assert.equal(await endOf(command), 2, command.output());
  assert.match(command.output(), /^COMMAND no-such-program: no such program\. /);
});

pathTest('reports a server that ends before it listens, and runs no command', async () => {
  const command = startProgram([
    'network',
    '--server',
    'echo why >&2; exit 9',
    '--',
    'echo',
    'ran',
  ]);
  assert.equal(await endOf(command), 4, command.output());
  assert.match(command.output(), /why\n/);
  assert.match(command.output(), /--server "[^"]+" ended \(9\) before it listened\./);
  assert.equal(command.results(), '');
});

pathTest('reports a server that listens where the client cannot reach it', async () => {
  const command = startProgram(['network', '--server', `${SERVER} 127.0.0.1`, '--', 'true']);
  assert.equal(await endOf(command), 0, command.output());
  assert.match(
    command.output(),
    /listens only on .*tcp 127\.0\.0\.1:8000 after 10 s, which the client cannot/,
  );
});

pathTest('ends background processes of a command or a server with the path', async () => {
  const leave = (seconds: number) => `setsid sleep ${seconds} &`;
  const server = `${leave(1001)} exec ${SERVER}`;
  const command = startProgram([
    'network',
    '--server',
    server,
    '--',
    'sh',
    '-c',
    `${leave(1002)} until grep -q sleep /proc/$!/comm; do sleep 0.05; done`,
  ]);
  assert.equal(await endOf(command), 0, command.output());
  assert.match(
    command.output(),
    /Ended the processes that still used the path: sleep \(\d+\), sleep \(\d+\)\./,
  );
});

pathTest(
  'passes Ctrl-C to a command without a terminal, which may end in its own time',
  async () => {
    const script = 'trap "echo caught; exit 5" INT; echo ready; while :; do sleep 0.1; done';
    const command = withoutTerminal('--server', SERVER, '--', 'sh', '-c', script);
    await command.printed(/^ready$/m);
    command.child.kill('SIGINT');
    assert.equal(await endOf(command), 5, command.output());
    assert.equal(command.results(), 'ready\ncaught\n');
    assert.match(command.output(), /COMMAND ended with status 5\./);
  },
);

test('leaves nothing and runs no command when interrupted while the path is made', async () => {
  const command = withoutTerminal('--rtt', '1000', '--', 'echo', 'ran');
  await command.printed(/^Creating and measuring the path, /m);
  command.child.kill('SIGTERM');
  assert.equal(await endOf(command), 130, command.output());
  assert.equal(command.results(), '');
});

pathTest(
  'reports a path that breaks when the command has ended, and ends its leftovers',
  async () => {
    const command = withoutTerminal(
      '--',
      'sh',
      '-c',
      'setsid sleep 1003 & echo ready; exec sleep 1004',
    );
    await command.printed(/^ready$/m);
    process.kill(agentOf(command.child.pid ?? 0).pid, 'SIGKILL');
    command.child.kill('SIGTERM');
    assert.equal(await endOf(command), 5, command.output());
    assert.match(command.output(), /The path agent ended \(SIGKILL\) unexpectedly\./);
  },
);

pathTest('leaves nothing at the ends when it is killed', async () => {
  const script = 'setsid sleep 1005 & echo ready; sleep 1006';
  const command = withoutTerminal(
    '--server',
    `setsid sleep 1007 & exec ${SERVER}`,
    '--',
    'sh',
    '-c',
    script,
  );
  await command.printed(/^ready$/m);
  try {
    await eventually(() => {
      const sleeping = command.leftProcesses().filter((each) => /^sleep 100[567] $/.test(each));
      assert.equal(sleeping.length, 3);
    });
  } finally {
    command.child.kill('SIGKILL');
  }
  await assertNoProcessLeft(command);
});

pathTest('runs a shell on the terminal, with Ctrl-C', async () => {
  const command = typed(
    [
      ['types', 'echo at-$SERVER_ADDRESS'],
      ['shows', 'at-198.18.1.1'],
      ['types', 'echo be""gun; sleep 1000'],
      ['shows', 'begun'],
      ['waits', 0.3],
      CTRL_C,
      ['types', 'echo status-$?'],
      ['shows', 'status-130'],
      ['types', 'exit 7'],
    ],
    ...['--rtt', '10', '--', 'sh', '-i'],
  );
  assert.equal(await endOf(command), 7, command.output());
  assert.match(command.output(), /COMMAND ended with status 7\./);
});

pathTest('kills a command that ignores Ctrl-C on the second one', async () => {
  const command = typed(
    [['shows', 'deaf'], CTRL_C, ['shows', 'again within'], CTRL_C],
    ...['--', 'sh', '-c', 'trap "" INT TERM HUP; echo de""af; while :; do sleep 0.1; done'],
  );
  assert.equal(await endOf(command), 128 + 9, command.output());
});
