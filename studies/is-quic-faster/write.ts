import { printable } from '../../ground/system/printed.mjs';
import { alignColumns } from '../../kit/text/terminal.ts';
import type { SeriesReport } from '../../report/series.ts';
import { answerText, conditionsOf, metricOf, pairsOf } from './answers.ts';
import { PARTS } from './parts.ts';
import { type PartResult, readResults, resultsOfSeries, writeResults } from './result.ts';

/**
 * Writes the results of all completely measured parts, from which the documentation is generated.
 * @throws DamagedRunError for a damaged run, or one of another part
 */
export async function writeSeries(folder: string): Promise<SeriesReport> {
  const states = await writeResults(folder);
  const results = resultsOfSeries(folder);
  const measured = readResults(results);
  const tables = states.map(({ part, state }) => {
    const result = measured.find((each) => each.part === part.name);
    return `${part.title}${result ? `\n${answerLines(result)}` : `: ${state}.`}`;
  });
  return {
    text: () => `${tables.join('\n\n')}\n`,
    resultLine: `Results of ${measured.length} of ${PARTS.length} parts: ${results}`,
    reportFolder: null,
  };
}

function answerLines(result: PartResult): string {
  const metric = metricOf(result);
  const pairs = pairsOf(result);
  const rows = conditionsOf(result).flatMap(({ name, answers }) =>
    pairs.map(({ arm, baseline, title }) => [
      name,
      title,
      answerText(
        answers.find((each) => each.arm === arm && each.baseline === baseline),
        metric,
      ),
    ]),
  );
  return alignColumns(rows, ['end', 'end', 'end']).split('\n').map(printable).join('\n');
}
