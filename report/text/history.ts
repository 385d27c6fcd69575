import { experimentOf } from '../../experiments/index.ts';
import { metricNamed } from '../../ground/experiment.ts';
import { ratioText } from '../../kit/text/estimate.ts';
import { factName } from '../../kit/text/fact-name.ts';
import { countText, countWithNoun, decimalText, momentText } from '../../kit/text/number.ts';
import { ratioWords } from '../../kit/text/ratio-words.ts';
import { AND, sentences } from '../../kit/text/sentences.ts';
import { FEWEST_OF_LEVEL, fewestAtEnd } from '../../statistics/level-changes.ts';
import { median } from '../../statistics/median.ts';
import type {
  ChangedFact,
  HistoryLevel,
  HistoryQuestion,
  HistoryRun,
  RunsHistory,
} from '../summary/runs-history.ts';

/** The levels of a question as sentences, without its condition. */
export function historyText(question: HistoryQuestion, history: RunsHistory): string {
  const { label, baselineLabel, levels, points } = question;
  const metric = metricNamed(experimentOf(history), history.metric);
  const [first, ...changed] = levels;
  const nCounted = points.filter(({ excluded }) => excluded === null).length;
  const without = points.length - nCounted;
  const excluded = without > 0 && `${countWithNoun(without, 'run')} without a comparable ratio.`;
  if (!first) {
    return sentences(`No run has a ratio of ${label} to ${baselineLabel}.`, excluded).join(' ');
  }
  const changes = changed.map(({ from, ratio, change }, place) => {
    const before = levels[place] as HistoryLevel;
    return `From ${runText(history.runs[from])} on, ${label} is ${ratioWords(change ?? 1, metric)}${metric.inPhrase} relative to ${baselineLabel} than before: ${ratioText(ratio)} instead of ${ratioText(before.ratio)} times the ${metric.phrase}.`;
  });
  const { fewestRuns } = history;
  const level = `${ratioText(first.ratio)} times the ${metric.phrase} of ${baselineLabel}`;
  const isFew = fewestRuns === null || nCounted < fewestRuns;
  const apart = apartText(question, history);
  const same = isFew
    ? `Too few runs to find a change: ${nCounted}, expected ${fewestRuns === null ? 'fewer stacks and conditions' : `${fewestRuns} or more`}. ${label} has ${level}.`
    : !apart &&
      `No change of level found in ${countWithNoun(nCounted, 'run')}: ${label} has ${level}.`;
  return sentences(changed.length > 0 ? changes : same, apart, excluded).join(' ');
}

/** Values in a sentence; further ones are in the table. */
const MOST_VALUES = 5;

/** The newest runs may begin a new level. */
function apartText(question: HistoryQuestion, history: RunsHistory): string | false {
  const { label, baselineLabel, points, levels } = question;
  const metric = metricNamed(experimentOf(history), history.metric);
  const level = levels.at(-1);
  const counted = points.filter(({ excluded }) => excluded === null).slice(-(level?.nRuns ?? 0));
  const ratios = counted.map(({ ratio }) => ratio?.estimate ?? 1);
  const isUp = (ratio = 1) => ratio > (level?.ratio ?? 1);
  const nBefore =
    1 +
    counted.findLastIndex(
      ({ isApart }, place) => !isApart || isUp(ratios[place]) !== isUp(ratios.at(-1)),
    );
  const newest = ratios.slice(nBefore);
  const before = median(ratios.slice(0, nBefore));
  if (!level || before === null || newest.length === 0) return false;
  // The test of a part has its share of the chance of a false change.
  const nOfAll = levels.reduce((total, { nRuns }) => total + nRuns, 0);
  const share = level.nRuns / nOfAll / history.questions.length;
  const fewest = fewestAtEnd(nBefore, history.significance * share) ?? FEWEST_OF_LEVEL;
  const texts = newest.map(ratioText);
  const more = texts.length - MOST_VALUES;
  const values = AND.format([
    ...texts.slice(0, MOST_VALUES),
    ...(more > 0 ? [`${more} further values`] : []),
  ]);
  const which = newest.length > 1 ? `${newest.length} newest runs` : 'newest run';
  return `Not yet decided: in the ${which}, ${label} has ${values} times the ${metric.phrase} of ${baselineLabel}, and ${ratioText(before)} times before. A new level needs ${Math.max(fewest, newest.length + 1)} or more such runs.`;
}

function runText(run: HistoryRun | undefined): string {
  return run ? momentText(run.startedAt) : '';
}

/** Standard deviations in percent. */
export function spreadText({ spread }: HistoryQuestion): string | null {
  if (spread === null) return null;
  const { betweenRuns, withinRuns } = spread;
  const within =
    withinRuns === null || withinRuns > betweenRuns
      ? ''
      : `; their own pairs alone would explain ${percentOf(withinRuns)} %`;
  return `Runs of one level differ by ${percentOf(betweenRuns)} % (standard deviation)${within}.`;
}

export function questionsByCondition(questions: readonly HistoryQuestion[]): HistoryQuestion[][] {
  const byCondition = Map.groupBy(questions, ({ network, variant }) =>
    JSON.stringify([network.name, variant]),
  );
  return [...byCondition.values()];
}

/** Says if all stacks of a condition change together, as they do if their baseline changes; else null. */
export function baselineText(questions: readonly HistoryQuestion[]): string | null {
  const [first, ...further] = questions;
  if (!first || further.length === 0) return null;
  // A change may be placed a run too early or too late.
  const isWith = (one: HistoryLevel, other: HistoryLevel) =>
    Math.abs(one.from - other.from) <= 1 &&
    one.change !== null &&
    other.change !== null &&
    one.change > 1 === other.change > 1;
  const isShared = first.levels.some((one) =>
    further.every(({ levels }) => levels.some((other) => isWith(one, other))),
  );
  return isShared
    ? `All stacks change together and in the same direction: perhaps ${first.baselineLabel} changed.`
    : null;
}

/** Says that runs newer than all of the page are excluded; null: no such run. */
export function newerText({ excluded }: RunsHistory): string | null {
  const nNewer = excluded.filter(({ isNewer }) => isNewer).length;
  if (nNewer === 0) return null;
  return `${nNewer === 1 ? 'The newest run is' : `The ${countText(nNewer)} newest runs are`} excluded: see the reasons below.`;
}

function percentOf(logDeviation: number): string {
  return decimalText(100 * Math.expm1(logDeviation), 1);
}

/** `chromium 156.0 → 157.0`: what is not as in the run before. */
export function changedFactText({ fact, before, after }: ChangedFact): string {
  const name = fact.replace(/^versions\./, '');
  return `${name === fact ? factName(fact) : name} ${before ?? 'not known'} → ${after ?? 'not known'}`;
}
