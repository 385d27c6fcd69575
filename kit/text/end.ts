import { lookSchema } from '../../ground/records/look.ts';
import * as s from '../../ground/records/schema.ts';
import { countWithNoun, decimalText } from './number.ts';

export const looksSchema = s.object(
  {
    nLooks: s.count('How often it was looked at.'),
    end: s.withDescription(
      lookSchema.properties.end,
      'Why no further block was begun; null: it was interrupted, or stopped after failures.',
    ),
    elapsedMs: s.number('What it took of its budget, in ms.'),
    budgetMs: s.number('What it may take, in ms.'),
  },
  'How a run came to its end.',
);

export type LooksSummary = s.Static<typeof looksSchema>;

interface EndOfRun {
  /** null: its repetitions were fixed. */
  looks: LooksSummary | null;
  primary: readonly { toldAfterPairs: number | null }[];
}

/** How a run came to its end, and what its intervals are corrected for, as a sentence; null: there is nothing to compare. */
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
      return `The run ended ${after}, because ${primary.length === 1 ? 'its answer was' : `all ${comparisons} were`} precise.`;
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
  if (nDecided === 0) return `None of the ${nAll} comparisons was decided`;
  return `${nDecided === nAll ? 'All' : `${nDecided} of`} ${countWithNoun(nAll, 'comparison')} were decided`;
}

/** As an option takes it. */
function minutesText(ms: number): string {
  return `${Math.ceil(ms / 60_000)}m`;
}

function durationText(ms: number): string {
  const s = Math.round(ms / 1000);
  if (s < 120) return `${s} s`;
  return s % 60 === 0 ? `${s / 60} min` : `${decimalText(s / 60, 1)} min`;
}
