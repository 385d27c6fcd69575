import type { Metric } from '../../ground/experiment.ts';
import { estimateText, ratioText, withSign } from '../../kit/text/estimate.ts';
import { threeDigits } from '../../kit/text/number.ts';
import type { PrimaryAnswer } from '../../report/summary/comparison.ts';
import { answerText, type ComparedCondition, conditionsOf, metricOf } from './answers.ts';
import { BASE } from './parts.ts';
import type { PartResult } from './result.ts';

export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A condition of a part, with words for readers. */
export interface ConditionRow {
  words: string;
  result: PartResult;
  condition: ComparedCondition;
}

/** Networks of the base in the words of visitors, by their names. */
export const NETWORK_WORDS: Readonly<Record<string, string>> = {
  none: 'next to the server',
  '30ms': '30 ms away (`ping` time)',
  '100ms': '100 ms away',
  lte: 'on LTE: 70 ms, 12 Mbit/s',
  'wireless-bursts': 'on a wireless network that loses packets in bursts: 40 ms, 20 Mbit/s',
};

/** The conditions of the base, in the order of the words above. */
export function baseRows(results: readonly PartResult[]): ConditionRow[] {
  const found = results
    .filter(({ part }) => BASE.includes(part))
    .flatMap((result) => conditionsOf(result).map((condition) => ({ result, condition })));
  return Object.entries(NETWORK_WORDS).flatMap(([network, words]) =>
    found
      .filter(({ condition }) => condition.network === network)
      .map((each) => ({ words, ...each })),
  );
}

/** The conditions of a part; words: of each condition by the name of its network and visit. */
export function rowsOfPart(
  results: readonly PartResult[],
  part: string,
  words: (condition: ComparedCondition) => string,
): ConditionRow[] {
  return results
    .filter((result) => result.part === part)
    .flatMap((result) =>
      conditionsOf(result).map((condition) => ({ words: words(condition), result, condition })),
    );
}

/** Programs that offer both versions at one address, by the names of their QUIC libraries. */
const LIBRARIES: Readonly<Record<string, string>> = { Bun: 'lsquic', Go: 'quic-go' };

/** `lsquic` of `lsquic (h3)` and of `Bun (h2 + h3)` */
export function serverName({ arms }: Pick<PartResult, 'arms'>, arm: string): string {
  const label = arms.find((each) => each.arm === arm)?.label ?? arm;
  const name = label.replace(/ \(.*$/, '');
  return LIBRARIES[name] ?? name;
}

/** Marks answers with notes. */
const MARK = '†';

/** A table, with the meaning of its marks. */
export function withLegend(answers: string): string {
  return answers.includes(MARK)
    ? `${answers}\n\n${MARK} This answer has [a note](for-researchers.md), for example that this machine may have a part in it. Without the mark, such a part is below [the limits of notes](../../docs/explanation/method.md#notes-next-to-verdicts).`
    : answers;
}

/** A short answer, bold where it is decided, with a mark if it has notes: `**14 % faster** (12 to 16 % faster) †` */
export function shortAnswer(answer: PrimaryAnswer | undefined, metric: Metric): string {
  const words = answerText(answer, metric);
  if (!answer) return words;
  const decided = answer.verdict === 'undecided' ? words : words.replace(/^[^(]*[^( ]/, '**$&**');
  return answer.notes.length > 0 ? `${decided} ${MARK}` : decided;
}

/** A row for each condition, a column for each server. */
export function answerTable(
  heading: string,
  rows: readonly ConditionRow[],
  cells: (answer: PrimaryAnswer | undefined, row: ConditionRow) => string = (answer, row) =>
    shortAnswer(answer, metricOf(row.result)),
): string {
  const servers = [
    ...new Set(
      rows.flatMap(({ result, condition }) =>
        condition.answers.map(({ arm }) => serverName(result, arm)),
      ),
    ),
  ];
  return table(
    [heading, ...servers],
    rows.map((row) => [
      row.words,
      ...servers.map((server) =>
        cells(
          row.condition.answers.find(({ arm }) => serverName(row.result, arm) === server),
          row,
        ),
      ),
    ]),
  );
}

/** Milliseconds, without a claim: `−47.1 (−58.3 to −22.5) ms` */
export function millisecondsOf({ difference }: Pick<PrimaryAnswer, 'difference'>): string | null {
  const text = estimateText(difference, (value) => withSign(value, threeDigits));
  return text && `${text} ms`;
}

/** Least and greatest of some ratios: `0.72 to 1.02`; `–`: without ratios. */
export function ratioRange(ratios: readonly number[]): string {
  if (ratios.length === 0) return '–';
  return `${ratioText(Math.min(...ratios))} to ${ratioText(Math.max(...ratios))}`;
}
