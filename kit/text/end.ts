import { lookSchema } from '../../ground/records/look.ts';
import * as s from '../../ground/records/schema.ts';
import { countWithNoun, decimalText } from './number.ts';

export const looksSchema = s.object(
  {
    nLooks: s.count('Number of looks.'),
    end: s.withDescription(
      lookSchema.properties.end,
      'Why no further block began; null: it was interrupted, or stopped after failures.',
    ),
    elapsedMs: s.number('Time spent of the budget, in ms.'),
    budgetMs: s.number('Time budget, in ms.'),
  },
  'End of a run.',
);

export type LooksSummary = s.Static<typeof looksSchema>;

interface EndOfRun {
  /** null: fixed repetitions. */
  looks: LooksSummary | null;
  primary: readonly { toldAfterPairs: number | null }[];
}

/** Why a run ended, and the correction of its intervals, as a sentence; null: no comparison. */
export function endSentence({ looks, primary }: EndOfRun): string | null {
  const [first] = primary;
  if (first === undefined) return null;
  const nDecided = primary.filter(({ toldAfterPairs }) => toldAfterPairs !== null).length;
  const comparisons = countWithNoun(primary.length, 'comparison');
  const decided = decidedText(nDecided, primary.length);
  if (looks === null) return `${decided}.`;
  const { nLooks, elapsedMs, budgetMs, end } = looks;
  const after = `after ${durationText(elapsedMs)} and ${countWithNoun(nLooks, 'look')}`;
  switch (end) {
    case 'told':
      return `The run ended ${after}, because ${primary.length === 1 ? 'its result was' : `all ${comparisons} were`} precise.`;
    case 'budget':
      return `${decided} within the budget of ${durationText(budgetMs)} (${countWithNoun(nLooks, 'look')}).${nDecided < primary.length ? ` A longer run may decide more: --budget ${minutesText(4 * budgetMs)}.` : ''}`;
    case 'repetitions':
      return `${decided} ${after}, when all repetitions were made.`;
    case null:
      return `${decided} so far: the run ended early. This report counts as a look, for which a resumed run (--resume) widens its intervals.`;
  }
}

/** `2 of 4 comparisons were decided`. */
function decidedText(nDecided: number, nAll: number): string {
  if (nAll === 1) return `The comparison was ${nDecided === 1 ? '' : 'not '}decided`;
  if (nDecided === 0) return `0 of ${nAll} comparisons were decided`;
  return `${nDecided === nAll ? 'All' : `${nDecided} of`} ${countWithNoun(nAll, 'comparison')} were decided`;
}

/** As an option value. */
function minutesText(ms: number): string {
  return `${Math.ceil(ms / 60_000)}m`;
}

function durationText(ms: number): string {
  const s = Math.round(ms / 1000);
  if (s < 120) return `${s} s`;
  return s % 60 === 0 ? `${s / 60} min` : `${decimalText(s / 60, 1)} min`;
}
