import { lookSchema } from '../../ground/records/look.ts';
import * as s from '../../ground/records/schema.ts';
import { counted, decimalText } from './number.ts';

export const looksSchema = s.object(
  {
    nLooks: s.count('How often it was looked at.'),
    end: s.described(
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
  const told = primary.filter(({ toldAfterPairs }) => toldAfterPairs !== null).length;
  const answers = counted(primary.length, 'answer');
  const were = primary.length === 1 ? 'was' : 'were';
  if (looks === null) return `${told} of ${answers} ${were} told.`;
  const { nLooks, elapsedMs, budgetMs, end } = looks;
  const after = `after ${durationText(elapsedMs)} and ${counted(nLooks, 'look')}`;
  switch (end) {
    case 'told':
      return `${primary.length === 1 ? 'The answer was' : `All ${answers} were`} precise ${after}, and the run ended.`;
    case 'budget':
      return `${told === primary.length && told > 1 ? 'All' : `${told} of`} ${answers} ${were} told when the budget of ${durationText(budgetMs)} was used up (${counted(nLooks, 'look')}).${told < primary.length ? ' More time may tell the others: --budget.' : ''}`;
    case 'repetitions':
      return `${told} of ${answers} ${were} told ${after}, when all repetitions were made.`;
    case null:
      return `${told} of ${answers} ${were} told so far: the run ended early. This report counts as a look, which --resume pays for.`;
  }
}

function durationText(ms: number): string {
  const s = Math.round(ms / 1000);
  if (s < 120) return `${s} s`;
  return s % 60 === 0 ? `${s / 60} min` : `${decimalText(s / 60, 1)} min`;
}
