import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndOfLooks } from '../../../../ground/records/look.ts';
import { endSentence } from '../../../../kit/text/end.ts';
import type { PrimaryAnswer } from '../../../../report/summary/comparison.ts';

/** Answers, told or not. */
function answers(...told: boolean[]): PrimaryAnswer[] {
  return told.map((isTold) => ({ toldAfterPairs: isTold ? 24 : null }) as PrimaryAnswer);
}

function sentenceOf(
  end: EndOfLooks | null,
  primary: PrimaryAnswer[],
  { nLooks = 3, elapsedMs = 150_000, budgetMs = 240_000 } = {},
): string | null {
  return endSentence({ primary, looks: { nLooks, end, elapsedMs, budgetMs } });
}

test('each end of a run has its sentence', () => {
  const some = answers(true, false, true, false);
  assert.equal(
    sentenceOf('told', answers(true, true)),
    'All 2 answers were precise after 2.5 min and 3 looks, and the run ended.',
  );
  assert.equal(
    sentenceOf('budget', some),
    '2 of 4 answers were told when the budget of 4 min was used up (3 looks). More time may tell the others: --budget.',
  );
  assert.equal(
    sentenceOf('repetitions', some),
    '2 of 4 answers were told after 2.5 min and 3 looks, when all repetitions were made.',
  );
  assert.equal(
    sentenceOf('budget', answers(true, true)),
    'All 2 answers were told when the budget of 4 min was used up (3 looks).',
  );
  assert.equal(
    sentenceOf(null, some),
    '2 of 4 answers were told so far: the run ended early. This report counts as a look, which --resume pays for.',
  );
});

test('one answer after one look is spoken of as one', () => {
  const short = { nLooks: 1, elapsedMs: 61_400 };
  assert.equal(
    sentenceOf('told', answers(true), short),
    'The answer was precise after 61 s and 1 look, and the run ended.',
  );
  assert.match(
    sentenceOf('budget', answers(false), short) ?? '',
    /^0 of 1 answer was told .*1 look/,
  );
});

test('a run whose repetitions were fixed says how much it told, one without a comparison nothing', () => {
  assert.equal(
    endSentence({ looks: null, primary: answers(true, false) }),
    '1 of 2 answers were told.',
  );
  assert.equal(endSentence({ looks: null, primary: [] }), null);
  assert.equal(sentenceOf('budget', []), null);
});
