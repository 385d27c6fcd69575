import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { PAGE_LOAD_METRICS } from '../../../experiments/page-load/metrics.ts';
import {
  conditionChangeSentence,
  interactionSentence,
} from '../../../kit/text/condition-change.ts';

const WORDS = { from: 'first visit', to: 'resumed visit', shared: 'with no added delay' };
const [metric] = PAGE_LOAD_METRICS;
assert.ok(metric);
const MEASURED = { marginPercent: 5, metric, experiment: pageLoad, nTests: 3 };

/** What came of a page: slower by the ratio, with so many ms between. */
function slowerBy(differenceMs: number) {
  return {
    subjects: [{ subject: 'www.example.org' }],
    nPairs: 12,
    nFailed: { from: 0, to: 0 },
    ratio: { estimate: 1.07, low: 1.05, high: 1.09 },
    difference: { estimate: differenceMs, low: differenceMs - 0.2, high: differenceMs + 0.2 },
    verdict: 'slower',
    isTooFew: false,
  } as const;
}

test('ms that tell the other way than the ratio are set against it', () => {
  const labels = { label: 'lsquic (h3)', baselineLabel: 'Bun (h2)' };
  assert.equal(
    interactionSentence(WORDS, labels, slowerBy(-0.5), MEASURED),
    'Resumed visit against first visit, with no added delay: lsquic (h3) comes off 7 % worse than Bun (h2) on www.example.org (5 to 9 % worse), but 0.5 ms saved on average (0.3 to 0.7), compared with Bun (h2).',
  );
  assert.match(
    conditionChangeSentence(WORDS, 'lsquic (h3)', slowerBy(-0.5), MEASURED),
    /is 7 % slower on www\.example\.org \(5 to 9 % slower\), but 0\.5 ms saved on average/,
  );
  assert.match(
    conditionChangeSentence(WORDS, 'lsquic (h3)', slowerBy(0.5), MEASURED),
    /\(5 to 9 % slower\): 0\.5 ms lost on average/,
  );
});
