import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pageLoad } from '../../experiments/page-load/experiment.ts';
import { isGivenUp } from '../../ground/records/counted-loads.ts';
import type { Stack } from '../../ground/stack.ts';
import { writeReport } from '../../report/write.ts';
import { measureRun } from '../../runner/benchmark.ts';
import { type PreparedRun, prepareRun } from '../../runner/campaign/prepare.ts';
import { statusOf } from '../../runner/campaign/tally.ts';
import { readOptions } from '../../runner/options.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { readPageLoads } from './page-loads.ts';
import { writeFixtureSite } from './site-fixture.ts';

const [REFUSED, UNDELIVERED] = ['www.example.org', 'www.wikipedia.org'];
const STACKS = ['lsquic-h3', 'bun-h2'];
const REPETITIONS = 3;
/** Chromium rejects responses whose headers are longer than 256 kB. */
const TOO_LONG = 'x'.repeat(300_000);

/** Writes a page of one document, with a header. */
function writePage(folder: string, site: string, header: string) {
  return writeFixtureSite(folder, [
    {
      url: `https://${site}/`,
      type: 'document',
      headers: [
        ['content-type', 'text/html'],
        ['x-note', header],
      ],
      body: '<!doctype html><link rel="icon" href="data:,"><title>page</title><p>Text.',
    },
  ]);
}

function faulty(stack: Stack): Stack {
  if (stack.program === undefined) throw new Error(`${stack.stack} has no program file`);
  const program = path.join(import.meta.dirname, 'clients', 'faulty-server.ts');
  return { ...stack, program, programArguments: [stack.stack, stack.program] };
}

/**
 * A run of two sites: lsquic does not start for the first one, and Bun cannot deliver the last one.
 */
async function prepared(temporary: string): Promise<PreparedRun> {
  const words = ['--sites', `${REFUSED},${UNDELIVERED}`, '--stacks', STACKS.join(), '--rtt', '0'];
  words.push('--repetitions', `${REPETITIONS}`, '--stop-after', '3', '--warm-ups', '1');
  words.push('--out', path.join(temporary, 'run'));
  const options = readOptions(words, pageLoad);
  assert.ok(options);
  const run = await prepareRun(options, words);
  await mkdir(path.join(temporary, `${REFUSED}.lsquic-h3.none`));
  await writePage(path.join(temporary, `${UNDELIVERED}.bun-h2`), UNDELIVERED, TOO_LONG);
  const subjects = await Promise.all(
    run.plan.subjects.map(async ({ planned }) => {
      const folder = path.join(temporary, planned.subject);
      const manifest = await writePage(folder, planned.subject, 'short');
      return { planned, manifest, folder, hosts: [planned.subject] };
    }),
  );
  return { ...run, plan: { ...run.plan, subjects, stacks: run.plan.stacks.map(faulty) } };
}

test('ends only the part of a server that cannot start or deliver, continues the run, and reports why', () =>
  withTemporaryFolder(async (temporary) => {
    const run = await prepared(temporary);
    const never = new AbortController().signal;
    const tally = await measureRun(run, { soon: never, now: never });
    assert.equal(statusOf(tally), 6);
    const { pageLoads } = await readPageLoads(run.folder);
    const rows = Map.groupBy(pageLoads, ({ id }) => id);
    for (const { id } of run.plan.trials) assert.equal(rows.get(id)?.length, 1, id);
    const broken = [
      { subject: REFUSED, arm: 'lsquic-h3', code: 'server-failed' },
      { subject: UNDELIVERED, arm: 'bun-h2', code: 'navigation-failed' },
    ];
    for (const { subject, arm, code } of broken) {
      const own = pageLoads.filter((load) => load.subject === subject && load.arm === arm);
      const made = own.filter((load) => !isGivenUp(load.code));
      assert.deepEqual(
        made.map((load) => load.code),
        [code, code, code],
      );
      const [first] = own.filter((load) => isGivenUp(load.code));
      assert.match(
        first?.message ?? '',
        new RegExp(`3 attempts in a row .* had failed \\(${code}\\)`),
      );
    }
    const failed = pageLoads.filter(({ outcome }) => outcome === 'failed');
    assert.equal(failed.filter(({ warmup }) => !warmup).length, broken.length * REPETITIONS);
    assert.ok(
      failed.every((load) => broken.some((b) => b.subject === load.subject && b.arm === load.arm)),
      JSON.stringify(failed.map(({ id, code }) => [id, code])),
    );
    const { warnings, comparisons } = await writeReport(run.folder);
    for (const label of ['lsquic \\(h3\\)', 'Bun \\(h2\\)']) {
      assert.ok(warnings.some((each) => new RegExp(`^${label} was given up on 1 page`).test(each)));
    }
    for (const { notes } of comparisons) assert.match(notes.join(' '), /was given up/);
  }));
