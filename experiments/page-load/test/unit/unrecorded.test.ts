import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunRecord } from '../../../../ground/records/run.ts';
import type { RunView } from '../../../run-view.ts';
import type { PageLoad } from '../../details.ts';
import { replay } from '../../sections/replay.ts';
import { replay as rareReplay } from '../../sections.ts';
import { unrecordedCautions, unrecordedRequests, unrecordedText } from '../../unrecorded.ts';

const RUN = {
  arms: [
    { arm: 'h3', label: 'Three' },
    { arm: 'h2', label: 'Two' },
  ],
  choices: { subResources: 'served' },
} as unknown as RunRecord;

/** A load with 20 recorded requests and these. */
function load(arm: string, unknown: string[], about: Partial<PageLoad> = {}): PageLoad {
  const details = { phasesMs: null, traffic: null, replay: { exact: 20, byQuery: [], unknown } };
  return { subject: 'a.test', arm, outcome: 'ok', details, ...about } as PageLoad;
}

const X = 'GET https://a.test/x';
const Y = 'POST https://a.test/y';
const FAVICON = 'GET https://a.test/favicon.ico';

test('requests that the recording lacks are those without an icon that Chromium requests by itself', () => {
  const of = (unknown: string[], run = RUN) =>
    unrecordedRequests(load('h3', unknown).details, run.choices);
  assert.deepEqual(of([X, FAVICON, Y]), { requests: [X, Y], total: 23 });
  assert.equal(of([FAVICON]), null);
  assert.equal(of([]), null);
  assert.equal(unrecordedRequests(null, RUN.choices), null);
  // All requests get 404.
  assert.equal(of([X], { choices: { subResources: 'missing' } } as RunRecord), null);
});

test('names the first request, and shortens its address', () => {
  assert.equal(
    unrecordedText({ requests: [X], total: 21 }),
    '1 of 21 requests got 404, because the recording lacks it: https://a.test/x',
  );
  assert.equal(
    unrecordedText({ requests: [Y, X, X], total: 23 }),
    '3 of 23 requests got 404, because the recording lacks them: POST https://a.test/y and 2 more',
  );
  const long = unrecordedText({ requests: [`${X}?${'a'.repeat(500)}`], total: 1 });
  assert.ok(long.length < 200 && long.endsWith('…'), long);
});

test('a report has one caveat for each page, with the stacks if only some have it', () => {
  const loads = [
    load('h3', [X]),
    load('h3', [X, Y]),
    load('h2', []),
    load('h2', [FAVICON]),
    load('h2', [X], { subject: 'b.test' }),
    load('h3', [X], { subject: 'b.test' }),
    load('h3', [], { details: null }),
  ];
  const [first = '', second = '', ...rest] = unrecordedCautions(loads, RUN);
  assert.deepEqual(rest, []);
  assert.match(
    first,
    /^In 2 of 2 loads of a\.test by Three, .* 2 of 22 requests got 404, .*\/x and 1 more\. Record the page again\./,
  );
  assert.match(second, /^In 2 of 2 loads of b\.test, /);
  assert.deepEqual(unrecordedCautions([load('h3', [FAVICON])], RUN), []);
});

test('the section lists the requests of the load with most of them, at most ten', () => {
  const many = Array.from({ length: 12 }, (_, index) => `${X}?${index}`);
  const loads = [load('h3', [Y]), load('h3', many), load('h2', [])];
  const view = {
    run: RUN,
    arms: [{ arm: 'h3', label: 'Three', place: 0 }],
    conditions: [{ loads }],
  } as unknown as RunView;
  assert.equal(rareReplay.isShown(view), true);
  assert.equal(
    rareReplay.isShown({
      ...view,
      conditions: [{ loads: [load('h2', [])] }],
    } as unknown as RunView),
    false,
  );
  const page = String(replay.render(view, 'replay'));
  const [row = '', ...others] = page.split('<tr>').slice(2);
  assert.deepEqual(others, []);
  const cells = row.split(/<\/t[hd]>/).map((cell) => cell.replace(/<[^>]*>/g, '').trim());
  assert.deepEqual(cells.slice(0, 5), ['a.test', 'Three', '2', '2', '6.5']);
  assert.match(cells[5] ?? '', /x\?9and 2 more$/);
});
