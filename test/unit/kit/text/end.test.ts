import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StopReason } from '../../../../ground/records/look.ts';
import { endSentence } from '../../../../kit/text/end.ts';
import type { PrimaryAnswer } from '../../../../report/summary/comparison.ts';
import { approve } from '../../approve.ts';

/** Answers, decided or not. */
function answers(...decided: boolean[]): PrimaryAnswer[] {
  return decided.map(
    (isDecided) => ({ decidedAfterPairs: isDecided ? 24 : null }) as PrimaryAnswer,
  );
}

function sentenceOf(
  end: StopReason | null,
  primary: PrimaryAnswer[],
  { nLooks = 3, elapsedMs = 150_000, budgetMs = 240_000 } = {},
): string {
  return endSentence({ primary, looks: { nLooks, end, elapsedMs, budgetMs } }) ?? '';
}

test('has a sentence for each end of a run, for one comparison and for several', (t) => {
  const some = answers(true, false, true, false);
  const short = { nLooks: 1, elapsedMs: 61_400 };
  approve(t, 'ends', [
    sentenceOf('decided', answers(true, true)),
    sentenceOf('decided', answers(true), short),
    sentenceOf('budget', some),
    sentenceOf('budget', answers(true, true)),
    sentenceOf('budget', answers(false, false)),
    sentenceOf('budget', answers(false), short),
    sentenceOf('repetitions', some),
    sentenceOf(null, some),
    endSentence({ looks: null, primary: answers(true, false) }) ?? '',
  ]);
});

test('has no such sentence for a run without a comparison', () => {
  assert.equal(endSentence({ looks: null, primary: [] }), null);
  assert.equal(sentenceOf('budget', []), '');
});
