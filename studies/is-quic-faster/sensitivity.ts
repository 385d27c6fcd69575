import { shardOfText } from '../../ground/records/shard.ts';
import { ratioText } from '../../kit/text/estimate.ts';
import { isOfSame, type PrimaryAnswer } from '../../report/summary/comparison.ts';
import { mean } from '../../statistics/mean.ts';
import { pagesOf } from './answers.ts';
import type { PartResult } from './result.ts';
import { baseRows, ratioRange, serverName, table } from './tables.ts';

/** How much the answers of the base depend on one page, on the weights of pages, on the machine, and on sittings. */
export function sensitivityText(results: readonly PartResult[]): string {
  const machines = [...new Set(results.flatMap((result) => result.machines.map(sittingsText)))];
  const rows = baseRows(results).flatMap(({ result, condition: { name, answers } }) =>
    answers.map((answer) => [
      name,
      serverName(result, answer.arm),
      answer.ratio ? ratioText(answer.ratio.estimate) : '–',
      ratioRange(withoutOnePage(result, answer)),
      ofSummedTimes(result, answer),
      ...machines.map((machine) => onMachine(machine, result, answer)),
      answer.sittingFactor?.toFixed(2) ?? '–',
    ]),
  );
  return `## Sensitivity\n\nDescriptive. *One page less*: the least and the greatest ratio without one of the pages. *Of summed times*: the ratio of the sums of all pages’ median times, which gives slow pages more weight. Then the ratio on [each machine](#machine-sittings-and-plans), by its sittings, and how many times the standard error is by [how sittings differ](plan.md#estimates).\n\n${table(
    [
      'network',
      'server',
      'ratio',
      'one page less',
      'of summed times',
      ...machines,
      'factor of sittings',
    ],
    rows,
  )}`;
}

/** `sittings 1, 2, 3` */
function sittingsText({ sittings }: PartResult['machines'][number]): string {
  return `sittings ${sittings.map((each) => shardOfText(each)?.index ?? each).join(', ')}`;
}

function onMachine(machine: string, { machines }: PartResult, answer: PrimaryAnswer): string {
  const own = machines.find((each) => sittingsText(each) === machine);
  const ratio = own?.answers.find((each) => isOfSame(each, answer))?.ratio;
  return ratio ? ratioText(ratio.estimate) : '–';
}

/** The answer's ratio without each of the pages. */
function withoutOnePage(result: PartResult, answer: PrimaryAnswer): number[] {
  const logs = pagesOf(result, answer).flatMap(({ ratio }) =>
    ratio ? [Math.log(ratio.estimate)] : [],
  );
  return logs.map((_, page) => Math.exp(mean(logs.toSpliced(page, 1)) ?? 0));
}

function ofSummedTimes({ loads }: PartResult, { arm, baseline, ...of }: PrimaryAnswer): string {
  const sumOf = (stack: string) =>
    loads
      .filter((each) => isOfSame(each, { ...of, arm: stack }))
      .reduce((sum, { medianMs }) => sum + (medianMs ?? Number.NaN), 0);
  const ratio = sumOf(arm) / sumOf(baseline);
  return Number.isNaN(ratio) ? '–' : ratioText(ratio);
}
