import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { PageLoad } from '../../experiments/page-load/details.ts';
import { readRun } from '../../ground/records/read.ts';
import type { Summary } from '../../report/summary/summary.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { casesOf, readJunit } from '../unit/report/findings/junit-file.ts';
import { startBenchmark } from './command.ts';
import { assertNoProcessLeft } from './left-behind.ts';
import { withRun } from './with-run.ts';

const PAIR = ['--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2'];

async function summaryOf(folder: string): Promise<Summary> {
  return JSON.parse(await readFile(path.join(folder, 'summary.json'), 'utf8'));
}

test('ends a run of one page, two stacks and 100 ms as soon as its answer is precise', () =>
  withRun<PageLoad>(`benchmark ${PAIR.join(' ')} --rtt 100 --warm-ups 1`, async (run) => {
    const { out, output, observations: pageLoads } = run;
    const { primary, looks, progress } = await summaryOf(out);
    const [answer] = primary;
    // A round trip of three saved, far beyond any noise.
    assert.equal(answer?.verdict, 'faster', output);
    // The width of the interval by then depends on the machine: it reaches no further than two
    // thirds of the difference.
    assert.ok((answer?.ratio?.estimate ?? 1) < 0.9, JSON.stringify(answer));
    assert.equal(looks?.end, 'decided');
    assert.equal(progress.complete, true);
    const { seed, stopping } = await readRun(out);
    assert.ok(seed > 0 && stopping);
    // A paused machine spoils a load, and drops its pair alone.
    const spoilt = pageLoads.filter(({ outcome }) => outcome !== 'ok');
    const measured = pageLoads.filter(({ warmup }) => !warmup);
    const pairs = measured.length / 2;
    // If a busy machine uses up the budget, the last look comes at any point of the run.
    if (looks && looks.elapsedMs < looks.budgetMs) assert.equal(pairs % stopping.blocksPerLook, 0);
    const dropped = new Set(spoilt.flatMap(({ block, warmup }) => (warmup ? [] : block)));
    assert.equal(answer?.decidedAfterPairs, pairs - dropped.size);
    // Every round has browsers of its own, and more than one has been seen.
    const browsers = new Set(pageLoads.map(({ client }) => client?.id));
    assert.equal(browsers.size, (2 * pairs) / 2);
    assert.match(output, /because its answer was precise/);
    assert.match(output, /www\.example\.org .*●.* faster /);
  }));

test('ends with the measured values if the budget ends before the first look, and reports no decision', () =>
  withTemporaryFolder(async (temporary) => {
    const [out = '', junit = '', markdown = ''] = ['run', 'junit.xml', 'answers.md'].map((name) =>
      path.join(temporary, name),
    );
    const command = startBenchmark([
      ...PAIR,
      '--rtt',
      '30',
      '--budget',
      '2s',
      '--out',
      out,
      '--fail-if',
      'lsquic-h3 slower than bun-h2 by 5%',
      '--junit',
      junit,
      '--markdown',
      markdown,
    ]);
    assert.equal(await command.ended, 8, command.output());
    const [answered] = casesOf(readJunit(await readFile(junit, 'utf8')));
    assert.equal(answered, '30ms: 30 ms round-trip time added: error undecided');
    assert.match(await readFile(markdown, 'utf8'), /\*\*Undecided\*\*/);
    await assertNoProcessLeft(command);
    const { primary, looks } = await summaryOf(out);
    assert.equal(primary[0]?.verdict, 'undecided');
    assert.equal(looks?.end, 'budget');
    assert.match(command.output(), /The comparison was not decided within the budget of 2 s/);
    assert.match(command.output(), /could not be decided/);
  }));
