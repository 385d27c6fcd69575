import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../ground/system/exit-status.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Command, startBenchmark, startProgram } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { networkOfMachine } from './network-of-machine.ts';
import { type DaemonProgram, daemonProgram } from './own-program/daemons.ts';
import { eventually, processes } from './processes.ts';
import { assertStatusOf, lastLoads } from './whole-run.ts';

const SITE = 'shower-deck';

/** Daemons of a program, some of them without its environment. */
function leftOf({ mark }: DaemonProgram): string[] {
  return processes()
    .map(({ pid, command }) => ({ pid, command: command.replaceAll('\0', ' ') }))
    .filter(({ command }) => command.includes(mark))
    .map(({ pid, command }) => `${pid} ${command}`);
}

function measured({ program }: DaemonProgram, out: string, ...words: string[]): Command {
  const run = ['--sites', SITE, '--rtt', '0', '--warm-ups', '0', '--seed', '1', '--out', out];
  return startBenchmark(['--server', program, '--stacks', 'own-h2', ...run, ...words]);
}

/** Number of daemons from earlier starts at each start. */
function countsOf({ counts }: DaemonProgram): number[] {
  return readFileSync(counts, 'utf8').trim().split('\n').map(Number);
}

for (const [what, variant, words, status] of [
  ['ends by itself', 'honest', ['--repetitions', '2'], EXIT.ok],
  // Its server is restarted for each load.
  ['has a server that fails', 'dies', ['--repetitions', '3', '--stop-after', '2'], EXIT.server],
  ['has a server that does not start', 'refuses-all', ['--repetitions', '1'], EXIT.server],
] as const) {
  test(`no daemon of a server outlives its server or the run: one that ${what}`, async (t) => {
    const folder = temporaryFolder(t);
    const daemons = daemonProgram(folder, variant);
    const before = networkOfMachine();
    const out = path.join(folder, 'run');
    const run = measured(daemons, out, ...words);
    const ended = await run.ended;
    if (status === EXIT.ok) assertStatusOf(await lastLoads(out), ended, run.output());
    else assert.equal(ended, status, run.output());
    assert.deepEqual(leftOf(daemons), []);
    await assertNoProcessLeft(run);
    assert.deepEqual(new Set(countsOf(daemons)), new Set([0]));
    assert.ok(countsOf(daemons).length > 1 || variant === 'refuses-all');
    assert.equal(networkOfMachine(), before);
  });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
  test(`no daemon of a server outlives a run that ${signal} ends`, async (t) => {
    const folder = temporaryFolder(t);
    const daemons = daemonProgram(folder, 'honest');
    const out = path.join(folder, 'run');
    const run = measured(daemons, out, '--repetitions', '200');
    await run.printed(/^1 of/m);
    run.child.kill(signal);
    await run.ended;
    // Only the kernel knows that a process was killed: daemons that have left the namespace cannot
    // be found then.
    const left = () =>
      leftOf(daemons).filter((line) => signal !== 'SIGKILL' || !line.includes('daemon-outside'));
    if (signal === 'SIGKILL') await eventually(() => assert.deepEqual(left(), []));
    assert.deepEqual(left(), []);
    for (const line of leftOf(daemons)) process.kill(Number.parseInt(line, 10), 'SIGKILL');
  });
}

test('no daemon of a server outlives npm run serve', async (t) => {
  const folder = temporaryFolder(t);
  const daemons = daemonProgram(folder, 'honest');
  const served = startProgram([
    'serve',
    SITE,
    ...['--server', daemons.program, '--stack', 'own-h2', '--rtt', '0'],
  ]);
  await Promise.race([served.printed(/Serving/), served.ended]);
  served.child.kill('SIGINT');
  await served.ended;
  assert.match(served.output(), /Serving/);
  assert.deepEqual(leftOf(daemons), []);
});
