import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { withRun } from '../../../../test/e2e/with-run.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { sampleStacks } from '../../profiles/flame.ts';
import { watchProcessor } from '../../profiles/processor.ts';
import { PROFILED_ENDS, PROFILES } from '../../profiles/profile.ts';
import { PROFILE_PROGRAMS, tryProgram } from '../../profiles/programs.ts';
import { countSystemCalls } from '../../profiles/syscalls.ts';
import type { TransferDetails } from '../../records.ts';

const { syscalls, flame } = PROFILE_PROGRAMS;
const hasStrace = syscalls !== undefined && (await tryProgram(syscalls)).ok;
const hasPerf = flame !== undefined && (await tryProgram(flame)).ok;

/** Works on each line of its input, and then reports it. */
const WORKER = `
import os, sys, time
sink = os.open('/dev/null', os.O_WRONLY)
def busy(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
os.write(1, b'ready\\n')
for line in sys.stdin:
    word, number = line.split()
    if word == 'write':
        for _ in range(int(number)):
            os.write(sink, b'x' * 1000)
    else:
        busy(float(number))
    os.write(1, b'done\\n')
`;

/** Passes on a process that obeys commands, and ends it. */
async function withWorker(
  use: (pid: number, instruct: (line: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const child = spawn('python3', ['-c', WORKER], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    await use(child.pid ?? 0, async (line) => {
      child.stdin.write(`${line}\n`);
      await once(child.stdout, 'data');
    });
  } finally {
    child.kill('SIGKILL');
  }
}

/** Waits until a process sleeps: its output may be read before its write call returns. */
async function atRest(pid: number): Promise<void> {
  const isAsleep = async () => /\) S /.test(await readFile(`/proc/${pid}/stat`, 'utf8'));
  while (!(await isAsleep())) await new Promise((resolve) => setTimeout(resolve, 5));
}

test(
  'counts every system call of a known piece of work, after which the program goes on',
  {
    skip: !hasStrace && 'strace does not work here',
  },
  () =>
    withTemporaryFolder((folder) =>
      withWorker(async (pid, instruct) => {
        await atRest(pid);
        const profiler = await countSystemCalls(new Set([pid]), folder);
        await instruct('write 5000');
        await atRest(pid);
        const { found, text } = await profiler.end();
        const calls = found.calls ?? [];
        // In addition to the commanded writes, one that reports them done.
        assert.equal(calls.find(({ name }) => name === 'write')?.calls, 5001);
        const [, total] = /^100\.00 +\S+ +\d+ +(\d+) .*total$/m.exec(text) ?? [];
        assert.equal(
          calls.reduce((sum, each) => sum + each.calls, 0),
          Number(total),
        );
        await instruct('write 1');
      }),
    ),
);

test(
  'reports a missing program with the words of strace',
  {
    skip: !hasStrace && 'strace does not work here',
  },
  () =>
    withTemporaryFolder((folder) =>
      assert.rejects(countSystemCalls(new Set([2 ** 22 - 1]), folder), /could not be attached/),
    ),
);

test('attributes a core to a busy program in the profile of processor time, and nothing to an idle one', () =>
  withWorker(async (pid, instruct) => {
    const idle = watchProcessor([pid]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { found: resting } = await idle.end();
    assert.ok((resting.steps ?? []).every(({ percent }) => percent < 20));
    const profiler = watchProcessor([pid]);
    await instruct('busy 0.5');
    const { found } = await profiler.end();
    const steps = found.steps ?? [];
    let beforeMs = 0;
    let tookMs = 0;
    for (const { atMs, percent } of steps) {
      tookMs += ((atMs - beforeMs) * percent) / 100;
      beforeMs = atMs;
    }
    assert.ok(tookMs > 450 && tookMs < 600, `${tookMs} ms of 500`);
    assert.ok(steps.every((each) => each.busiestThreadPercent <= each.percent + 1e-9));
  }));

test(
  'samples stacks in proportion to processor time',
  {
    skip: !hasPerf && 'perf does not work here',
  },
  () =>
    withTemporaryFolder((folder) =>
      withWorker(async (pid, instruct) => {
        const profiler = await sampleStacks(new Set([pid]), folder);
        await instruct('busy 0.5');
        const { found, text } = await profiler.end();
        const samples = (found.stacks ?? []).reduce((sum, stack) => sum + stack.samples, 0);
        const expected = 0.5 * (found.hz ?? 0);
        assert.ok(samples > 0.7 * expected && samples < 1.3 * expected, `${samples} samples`);
        const folded = text.trimEnd().split('\n');
        assert.equal(
          folded.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0),
          samples,
        );
        assert.ok(folded.every((line) => /^python3?[^ ]*;?.* \d+$/.test(line)));
      }),
    ),
);

test(
  'has profiles of each stack, size and end, next to transfers without observation',
  {
    skip: !(hasStrace && hasPerf) && 'strace or perf does not work here',
  },
  () =>
    withRun(
      `transfer --stacks lsquic-h3,bun-h2 --size 300kB --rtt 10 --repetitions 1
       --profile ${PROFILES}`,
      async ({ out, output, observations }) => {
        assert.doesNotMatch(output, /No profile/);
        for (const stack of ['lsquic-h3', 'bun-h2']) {
          const own = observations.filter(({ arm }) => arm === stack);
          assert.deepEqual(
            own.map(({ warmup }) => warmup),
            [true, false],
          );
          const [warmUp, measured] = own;
          assert.ok(warmUp && measured);
          assert.equal((measured.details as TransferDetails).profiles, undefined);
          const profiles = (warmUp.details as TransferDetails).profiles ?? [];
          assert.deepEqual(
            profiles.map(({ kind, end }) => `${kind} ${end}`),
            PROFILES.flatMap((kind) => PROFILED_ENDS.map((end) => `${kind} ${end}`)),
          );
          for (const { kind, end, totalMs, calls = [] } of profiles) {
            assert.ok(totalMs !== null && totalMs > 20, `${kind} ${end}: ${totalMs} ms`);
            const file = warmUp.files[`${kind}-${end}`] ?? '';
            assert.match(file, /^profiles\//);
            const text = await readFile(path.join(out, file), 'utf8');
            if (kind === 'cpu') assert.match(text, /^t_ms,/);
            if (kind !== 'syscalls' || end !== 'server') continue;
            const sent = calls
              .filter(({ name }) => /^(send|write)/.test(name))
              .reduce((sum, each) => sum + each.calls, 0);
            // By QUIC at most one call for each packet and retransmission; by TCP many segments go
            // with each.
            const packets = 300_000 / 1200;
            assert.ok(sent > 3 && sent < 3 * packets, `${stack}: ${sent} calls that send`);
          }
        }
        const page = await readFile(path.join(out, 'report.html'), 'utf8');
        assert.match(page, /id="profiles"/);
        assert.match(page, /Flame graph of the server with lsquic/);
      },
    ),
);
