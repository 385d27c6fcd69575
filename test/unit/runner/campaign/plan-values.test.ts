import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { example } from '../../../../experiments/example/experiment.ts';
import { allExperiments } from '../../../../experiments/index.ts';
import type { PlanRecord } from '../../../../ground/records/run.ts';
import { runFolder } from '../../../../ground/records/run-folder.ts';
import { UsageError } from '../../../../ground/system/errors.ts';
import { prepareRun } from '../../../../runner/campaign/prepare.ts';
import { readOptions } from '../../../../runner/options.ts';
import { withTemporaryFolder } from '../../../temporary-folder.ts';
import { run } from '../example-run.ts';
import { fakeMachineState } from '../fake-test-bed.ts';
import { planned, preparedOf } from './prepared-plan.ts';

const SITE = ['--sites', 'www.example.org', '--rtt', '0', '--repetitions', '2'];

/** A program that leaves a trace when it is started. */
function programIn(folder: string, name: string): string {
  const program = path.join(folder, name);
  writeFileSync(program, `#!/bin/sh\ntouch ${path.join(folder, 'started')}\n`);
  chmodSync(program, 0o755);
  return program;
}

const own = (plan: PlanRecord) => plan.arms.flatMap((arm) => arm.own?.program ?? []);

test('starts the program that is given with a plan, and not one from the plan', () =>
  withTemporaryFolder(async (folder) => {
    const theirs = programIn(folder, 'theirs.sh');
    const mine = programIn(folder, 'mine.sh');
    const plan = await planned([...SITE, '--server', theirs]);
    assert.deepEqual(own(plan), [theirs, theirs]);
    await assert.rejects(
      preparedOf(folder, plan),
      (error) =>
        error instanceof UsageError &&
        error.message.includes(`own-h3 by ${theirs}`) &&
        error.message.includes('--server own=PROGRAM'),
    );
    const prepared = await preparedOf(folder, plan, ['--server', mine]);
    for (const stack of prepared.plan.stacks) assert.deepEqual(stack.own, { program: mine });
    assert.deepEqual(own(prepared.record), [theirs, theirs], 'the plan stays what it is');
    const without = await planned(SITE);
    await assert.rejects(preparedOf(folder, without, ['--server', mine]), /Omit --server/);
  }));

test('takes each program of a plan from the --server of that name', () =>
  withTemporaryFolder(async (folder) => {
    const [old, theirs, mine] = ['old.sh', 'theirs.sh', 'mine.sh'].map((name) =>
      programIn(folder, name),
    );
    const plan = await planned([...SITE, '--server', `old=${old}`, '--server', `new=${theirs}`]);
    const { plan: prepared } = await preparedOf(folder, plan, [
      ...['--server', `old=${old}`],
      ...['--server', `new=${mine}`],
    ]);
    assert.deepEqual(
      prepared.stacks.map(({ stack, own: by }) => [stack, by]),
      [
        ['old-h3', { program: old }],
        ['old-h2', { program: old }],
        ['new-h3', { program: mine }],
        ['new-h2', { program: mine }],
      ],
    );
    const refused = (servers: readonly string[], said: RegExp) =>
      assert.rejects(
        preparedOf(
          folder,
          plan,
          servers.flatMap((server) => ['--server', server]),
        ),
        said,
      );
    await refused([`old=${old}`], /would start .*new-h3 by .*new=PROGRAM/);
    await refused([`old=${old}`, `newer=${mine}`], /no server of that name.*old, new/);
  }));

test('does not choose a program for a resumed run from its plan either', () =>
  withTemporaryFolder(async (folder) => {
    const theirs = programIn(folder, 'theirs.sh');
    const out = path.join(folder, 'run');
    const words = [...SITE, '--server', theirs];
    await run([...words, '--out', out], {});
    const resumed = (more: readonly string[]) =>
      prepareRun(readOptions(['--resume', out, ...more], example), [], {
        readMachineState: fakeMachineState,
      });
    await assert.rejects(resumed([]), /would start server programs: own-h3 by/);
    const { plan } = await resumed(['--server', theirs]);
    assert.ok(plan.stacks.every((stack) => stack.own));
    const mine = programIn(folder, 'mine.sh');
    await assert.rejects(resumed(['--server', mine]), /The program of own-h3 is .*mine\.sh/);
    const changed = JSON.parse(await readFile(runFolder(out).run, 'utf8'));
    assert.equal(changed.arms[0].own.program, theirs);
  }));

test('rejects a plan whose arms contradict their names', () =>
  withTemporaryFolder(async (folder) => {
    const plan = await planned([...SITE, '--stacks', 'lsquic-h3,bun-h2', '--control']);
    const changes: [Record<string, unknown>, RegExp][] = [
      [{ own: { program: '/bin/sh' } }, /to this project|would start/],
      [{ own: { url: 'https://10.0.0.1:8006' } }, /to this project/],
      [{ own: {} }, /expected one/],
      [{ stack: 'mine-h2', own: { url: 'http://10.0.0.1' } }, /https/],
      [{ stack: 'mine-h2', own: { url: 'https://10.0.0.1/a?b' } }, /got more than that/],
      [{ stack: 'mine-h3', own: { url: 'https://10.0.0.1' } }, /does not say/],
      [{ stack: 'mine-h2', own: { program: '/bin/sh' } }, /arm is "bun-h2", expected "mine-h2"/],
      [{ stack: 'Mine-h2', own: { program: '/bin/sh' } }, /expected small letters/],
      [{ stack: 'no-such-stack' }, /no-such-stack/],
      [{ stack: 'constructor' }, /constructor/],
      [{ label: 'Another server' }, /label is "Another server", expected/],
      [{ protocol: 'h3' }, /protocol is "h3"/],
      [{ client: 'bun' }, /client/],
      [{ client: '__proto__' }, /client/],
    ];
    for (const [change, said] of changes) {
      const index = plan.arms.findIndex(({ arm }) => arm === 'bun-h2');
      const arms = plan.arms.with(index, { ...plan.arms[index], ...change } as never);
      await assert.rejects(
        preparedOf(folder, { ...plan, arms }),
        (error) => {
          assert.equal((error as UsageError).exitStatus, 2, JSON.stringify(change));
          assert.match((error as Error).message, said);
          return true;
        },
        JSON.stringify(change),
      );
    }
  }));

test('accepts a delay and an order of responses only for arms whose server can have them', () =>
  withTemporaryFolder(async (folder) => {
    const stacks = 'lsquic-h3,bun-h2,mine-h2=https://127.0.0.1:8006';
    const plan = await planned([...SITE, '--stacks', stacks]);
    const withSettings = (arm: string, change: Partial<PlanRecord['arms'][number]>) => {
      const index = plan.arms.findIndex((each) => each.arm === arm);
      const arms = plan.arms.with(index, { ...plan.arms[index], ...change } as never);
      return preparedOf(folder, { ...plan, arms });
    };
    const delay = { settings: { responseDelayMs: 50 } };
    const order = { settings: { responseOrder: 'by priority' } } as const;
    for (const [arm, change] of [
      ['lsquic-h3', delay],
      ['bun-h2', delay],
      ['bun-h2', order],
    ] as const) {
      const { plan: prepared } = await withSettings(arm, change);
      assert.deepEqual(
        prepared.stacks.find(({ stack }) => stack === arm)?.settings,
        change.settings,
      );
    }
    await assert.rejects(withSettings('mine-h2', delay), /responseDelayMs is 50.*mine-h2 runs/);
    await assert.rejects(withSettings('lsquic-h3', order), /responseOrder.*for bun-h2, go-h2/);
    const under = Object.fromEntries(plan.networks.map(({ name }) => [name, order.settings]));
    await assert.rejects(withSettings('mine-h2', { under }), /mine-h2 does not take/);
  }));

test('accepts only plans with one experiment, networks of one kind, and valid options', () =>
  withTemporaryFolder(async (folder) => {
    const plan = await planned(SITE);
    const [trial] = plan.trials;
    const [network] = plan.networks;
    const foreignChoices = allExperiments().flatMap(({ name, choices }) =>
      choices && name !== plan.experiment ? [choices.name] : [],
    );
    const changes: Partial<Record<keyof PlanRecord, unknown>>[] = [
      { experiment: 'no-such' },
      { experiment: 'example' },
      { experiment: '__proto__' },
      { recordFile: 'run.json' },
      { analysis: { ...plan.analysis, metric: 'constructor' } },
      { factors: { ...plan.factors, constructor: ['a'] } },
      { factors: { visit: ['cold', 'valueOf'] } },
      { choices: { ...plan.choices, livePages: { pauseMs: 1 } } },
      ...foreignChoices.map((name) => ({ choices: { ...plan.choices, [name]: { any: 1 } } })),
      { networks: [] },
      { networks: [{ ...network, name: 'live' }] },
      { networks: [{ ...network, rttMs: 30 }] },
      { trials: [{ ...trial, subject: 'www.360.cn' }] },
      { trials: [{ ...trial, arm: 'of-no-arm' }] },
      { trials: [{ ...trial, network: { ...network, rttMs: 9 } }] },
      { trials: [{ ...trial, factors: {} }] },
      { trials: [{ ...trial, factors: { visit: 'repeat' } }] },
      { subjects: plan.subjects.map((each) => ({ ...each, wireBytes: 1 })) },
    ];
    for (const change of changes) {
      await assert.rejects(
        preparedOf(folder, { ...plan, ...change } as PlanRecord),
        (error) => (error as UsageError).exitStatus === 2,
        JSON.stringify(change).slice(0, 100),
      );
    }
    await preparedOf(folder, plan);
  }));
