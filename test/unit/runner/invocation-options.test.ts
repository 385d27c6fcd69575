import assert from 'node:assert/strict';
import { realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import * as options from '../../../runner/options.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const folder = realpathSync(temporaryFolder({ after }));
const PLAN = path.join(folder, 'run.json');
writeFileSync(PLAN, '{}');

/** Parts of a run have a fixed number of repetitions. */
const FIXED = ['--repetitions', '20'];

/** A preset that changes nothing, for options that require one. */
const readOptions = (words: readonly string[]) =>
  options.readOptions(words, pageLoad, {
    classic: { of: 'page-load', about: null, options: {} },
  });

const invocationOf = (...args: string[]) => readOptions(args).invocation;

function assertRefused(args: string[], part: RegExp): void {
  assert.throws(() => readOptions(args), { name: 'UsageError', message: part }, args.join(' '));
}

test('carries out the whole plan without options, without a time limit', () => {
  assert.deepEqual(invocationOf(), {
    resume: null,
    resumeAnyway: false,
    plan: null,
    freeze: null,
    shard: null,
    queue: null,
    budgetMs: null,
    stopAfter: 5,
    progress: 'text',
  });
});

test('reads each option', () => {
  assert.equal(invocationOf('--resume', folder, '--resume-anyway').resumeAnyway, true);
  assert.equal(invocationOf('--freeze', 'new.json', ...FIXED).freeze, 'new.json');
  assert.equal(invocationOf('--budget', '45m').budgetMs, 2_700_000);
  assert.equal(invocationOf('--stop-after', '9').stopAfter, 9);
  assert.equal(invocationOf('--progress', 'jsonl').progress, 'jsonl');
  assert.equal(invocationOf('--plan', PLAN, '--queue', 'redis://host:6379').plan, PLAN);
  assert.deepEqual(invocationOf('--plan', PLAN, '--shard', '2/4', '--shard-by', 'blocks').shard, {
    index: 2,
    count: 4,
    by: 'blocks',
  });
});

test('rejects options that decide what is loaded next to a frozen plan', () => {
  for (const source of [
    ['--resume', folder],
    ['--plan', PLAN],
  ]) {
    assertRefused([...source, '--repetitions', '3', '--rtt', '5'], /--repetitions, --rtt.*decides/);
    assertRefused([...source, '--preset', 'classic'], /--preset: a frozen plan decides/);
    assert.ok(
      invocationOf(...source, '--budget', '1h', '--progress', 'jsonl', '--stop-after', '2'),
    );
  }
});

test('rejects contradictory options', () => {
  assertRefused(['--resume', folder, '--plan', PLAN], /--resume and --plan do not go together/);
  assertRefused(['--resume', folder, '--out', 'x'], /--resume and --out/);
  assertRefused(['--resume', folder, '--freeze', 'x'], /--resume and --freeze/);
  assertRefused(['--freeze', 'x', '--shard', '1/2', ...FIXED], /--freeze and --shard/);
  assertRefused(['--freeze', 'x', '--plan', PLAN], /--freeze and --plan/);
  assertRefused(
    ['--queue', 'redis://a:1', '--shard', '1/2', '--plan', PLAN],
    /--queue and --shard/,
  );
  assertRefused(['--queue', 'redis://host:6379', ...FIXED], /--queue needs --plan FILE/);
  assertRefused(['--resume-anyway'], /--resume-anyway goes with --resume DIR/);
  assertRefused(['--shard-by', 'blocks', ...FIXED], /--shard-by goes with --shard/);
});

test('rejects what is missing or unexpected, with the actual value', () => {
  assertRefused(['--resume', '/nowhere'], /\/nowhere: there is no run\.json.*results\/latest/);
  assertRefused(['--plan', '/nowhere'], /\/nowhere: there is no such file.*--freeze/);
  assertRefused(['--queue', 'localhost:6379', '--plan', PLAN], /redis:\/\/host:6379/);
  assertRefused(['--shard', '3/2', ...FIXED], /--shard 3\/2.*I from 1 to N/);
  assertRefused(['--shard', '1/2', '--shard-by', 'rows', ...FIXED], /sites.*blocks/);
  assertRefused(['--budget', '90'], /3s, 45m or 2h/);
  assertRefused(['--stop-after', '0'], /1 to 1000/);
  assertRefused(['--progress', 'xml'], /text.*jsonl/);
});

test('resumes a run behind a link in its own folder', (t) => {
  const latest = path.join(temporaryFolder(t), 'latest');
  symlinkSync(folder, latest);
  assert.equal(invocationOf('--resume', latest).resume, folder);
});

test('rejects a dangling or circular link', (t) => {
  const elsewhere = temporaryFolder(t);
  for (const target of ['removed', 'latest']) {
    const latest = path.join(elsewhere, target === 'latest' ? 'latest' : 'dangling');
    symlinkSync(target, latest);
    assertRefused(['--resume', latest], /this link leads to (removed|latest), where there is no/);
  }
});

test('never writes a plan over another file, nor where it cannot be written', (t) => {
  const elsewhere = temporaryFolder(t);
  const taken = path.join(elsewhere, 'plan.json');
  writeFileSync(taken, '{}');
  assertRefused(['--freeze', taken, ...FIXED], /plan\.json: the file exists.*Name another file/);
  assertRefused(['--freeze', elsewhere, ...FIXED], /the file exists/);
  assertRefused(
    ['--freeze', path.join(elsewhere, 'no', 'plan.json'), ...FIXED],
    /no: there is no such folder/,
  );
});

test('requires a number of repetitions for a part of a run, unless the plan has one', () => {
  for (const part of [
    ['--freeze', 'new.json'],
    ['--shard', '1/2'],
    ['--queue', 'redis://host:6379'],
  ]) {
    for (const auto of [[], ['--repetitions', 'auto']]) {
      assertRefused([...part, ...auto], new RegExp(`auto .* and ${part[0]} do not go together`));
    }
  }
  assert.ok(invocationOf('--plan', PLAN, '--shard', '1/2'));
  assert.ok(invocationOf('--resume', folder, '--shard', '1/2'));
  assert.ok(invocationOf('--resume', folder, '--queue', 'redis://host:6379'));
});
