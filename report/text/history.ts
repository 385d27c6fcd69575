import { experimentOf } from '../../experiments/index.ts';
import { metricNamed } from '../../ground/experiment.ts';
import { ratioText } from '../../kit/text/estimate.ts';
import { factName } from '../../kit/text/fact-name.ts';
import { countWithNoun, decimalText, momentText } from '../../kit/text/number.ts';
import { ratioWords } from '../../kit/text/ratio-words.ts';
import { sentences } from '../../kit/text/sentences.ts';
import { BETTER_OR_WORSE } from '../../kit/text/verdict.ts';
import { FEWEST_OF_LEVEL } from '../../statistics/level-changes.ts';
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
  const words = { better: metric.better, words: BETTER_OR_WORSE };
  const [first, ...changed] = levels;
  const nCounted = points.filter(({ excluded }) => excluded === null).length;
  const without = points.length - nCounted;
  const excluded = without > 0 && `${countWithNoun(without, 'run')} without a comparable ratio.`;
  if (!first) {
    return sentences(`No run has a ratio of ${label} to ${baselineLabel}.`, excluded).join(' ');
  }
  const changes = changed.map(({ from, ratio, change }, place) => {
    const before = levels[place] as HistoryLevel;
    return `From ${runText(history.runs[from])} on, ${label} comes off ${ratioWords(change ?? 1, words)} against ${baselineLabel} than before: ${ratioText(ratio)} instead of ${ratioText(before.ratio)} times the ${metric.phrase}.`;
  });
  const { fewestRuns } = history;
  const level = `${ratioText(first.ratio)} times the ${metric.phrase} of ${baselineLabel}`;
  const same = () =>
    fewestRuns === null || nCounted < fewestRuns
      ? `Too few runs to find a change: ${nCounted}, expected ${fewestRuns === null ? 'fewer stacks and conditions' : `${fewestRuns} or more`}. ${label} has ${level}.`
      : `No change of level found in ${countWithNoun(nCounted, 'run')}: ${label} has ${level}.`;
  return sentences(changed.length > 0 ? changes : same(), apartText(question), excluded).join(' ');
}

/** The newest runs may begin a new level. */
function apartText({ points, levels }: HistoryQuestion): string | false {
  const counted = points.filter(({ excluded }) => excluded === null);
  const level = levels.at(-1);
  const newest = counted.slice(1 - FEWEST_OF_LEVEL).filter(({ isApart }) => isApart);
  if (!level || counted.at(-1)?.isApart !== true) return false;
  const which = newest.length > 1 ? 'the newest runs stand' : 'the newest run stands';
  const values = newest.map(({ ratio }) => ratioText(ratio?.estimate ?? 1)).join(' and ');
  return `Not yet decided: ${which} apart, with ${values} instead of ${ratioText(level.ratio)}. A new level needs ${FEWEST_OF_LEVEL} runs or more.`;
}

function runText(run: HistoryRun | undefined): string {
  return run ? momentText(run.startedAt) : '';
}

/** Standard deviations in percent. */
export function spreadText({ spread }: HistoryQuestion): string | null {
  if (spread === null) return null;
  const { betweenRuns, withinRuns } = spread;
  const within =
    withinRuns === null ? '' : `; their own pairs alone would explain ${percentOf(withinRuns)} %`;
  return `Runs of one level differ by ${percentOf(betweenRuns)} % (standard deviation)${within}.`;
}

function percentOf(logDeviation: number): string {
  return decimalText(100 * Math.expm1(logDeviation), 1);
}

/** `chromium 156.0 → 157.0`: what is not as in the run before. */
export function changedFactText({ fact, before, after }: ChangedFact): string {
  const name = fact.replace(/^versions\./, '');
  return `${name === fact ? factName(fact) : name} ${before ?? 'not known'} → ${after ?? 'not known'}`;
}
