import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { writeReport } from '../../../report/write.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';

/** A run measured by the last version that wrote format 4, with the summary that it made; names of the machine are replaced. */
const RUN = path.join(import.meta.dirname, '..', '..', 'fixtures', 'run-of-format-4');

/** What today is called otherwise: since format 5 of the records, and 6 of the summary. */
const RENAMED: Readonly<Record<string, string>> = {
  site: 'subject',
  sites: 'subjects',
  stack: 'arm',
  stacks: 'arms',
  visit: 'variant',
  sittings: 'invocations',
  browserCpuMs: 'clientCpuMs',
  pageLoad: 'pageLoadMs',
  documentTime: 'documentMs',
  firstByte: 'firstByteMs',
  connect: 'connectMs',
  domContentLoaded: 'domContentLoadedMs',
  firstContentfulPaint: 'firstContentfulPaintMs',
  largestContentfulPaint: 'largestContentfulPaintMs',
  lastByte: 'lastByteMs',
  differenceMs: 'difference',
  medianOfSiteMediansMs: 'medianOfSiteMedians',
};

/** What summaries did not have then; properties of stacks are named in their values. */
const ADDED = new Set(['completeMs', 'cut', 'keyExchange', 'leftOut', 'treatment', 'udpDropped']);

/** The same value with today's names, without what was added since, and without the notes on properties, which are texts of this version. */
function renamed(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((each) => !ADDED.has(each?.property)).map(renamed);
  }
  // A unit of properties, which said so of every experiment.
  if (typeof value === 'string') return value.replaceAll(' per load', '');
  if (typeof value !== 'object' || value === null) return value;
  // Verdicts had the metric that they are about alone; others have a p of their own correction.
  const isAdded = (name: string) =>
    ADDED.has(name) || (name === 'verdict' && 'pAdjusted' in value && !('pHolm' in value));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      name === 'note' || isAdded(name) ? [] : [[RENAMED[name] ?? name, renamed(inner)]],
    ),
  );
}

test('a run measured before format 5 has the same numbers in its summary, field by field', () =>
  withTemporaryFolder(async (folder) => {
    const run = path.join(folder, 'run');
    await cp(RUN, run, { recursive: true });
    const before = JSON.parse(await readFile(path.join(run, 'summary.json'), 'utf8'));
    await writeReport(run);
    const { experiment, ...now } = JSON.parse(
      await readFile(path.join(run, 'summary.json'), 'utf8'),
    );
    assert.equal(experiment, 'page-load');
    const expected = renamed(before) as Record<string, unknown> & {
      analysis: object;
      ledger: object;
    };
    assert.deepEqual(renamed(now), {
      ...expected,
      formatVersion: 6,
      // It was the moment of the plan.
      startedAt: '2026-11-22T18:51:44.516Z',
      analysis: {
        ...expected.analysis,
        metric: 'pageLoadMs',
        pairs: [{ arm: 'lsquic-h3', baseline: 'bun-h2' }],
      },
      ledger: { ...expected.ledger, remedies: [] },
      conditionChanges: [],
      interactions: [],
    });
  }));
