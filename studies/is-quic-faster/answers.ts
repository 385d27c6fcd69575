import { conditionName, conditionText } from '../../experiments/condition.ts';
import { pageLoad } from '../../experiments/page-load/experiment.ts';
import { type Metric, metricNamed } from '../../ground/experiment.ts';
import { equalWord, ratioIntervalWords, ratioWords } from '../../kit/text/ratio-words.ts';
import { verdictWord } from '../../kit/text/verdict.ts';
import { isOfSame, type PrimaryAnswer } from '../../report/summary/comparison.ts';
import type { PartResult } from './result.ts';

export interface ComparedPair {
  arm: string;
  baseline: string;
  /** `lsquic (h3) against Bun (h2)` */
  title: string;
  /** Whether their protocols differ; if not, the pair shows the difference between programs. */
  isOfProtocols: boolean;
}

export interface ComparedCondition {
  network: string;
  variant: string;
  /** Short, for charts. */
  name: string;
  /** With its numbers. */
  text: string;
  answers: readonly PrimaryAnswer[];
}

export function metricOf({ metric }: Pick<PartResult, 'metric'>): Metric {
  return metricNamed(pageLoad, metric);
}

export function pairsOf({ answers, arms }: PartResult): ComparedPair[] {
  const armNamed = (name: string) => {
    const found = arms.find(({ arm }) => arm === name);
    if (!found) throw new Error(`no stack ${name} among those of the part`);
    return found;
  };
  const pairs = new Map(
    answers.map(({ arm, baseline }) => [`${arm} ${baseline}`, { arm, baseline }]),
  );
  return [...pairs.values()].map(({ arm, baseline }) => {
    const [first, second] = [armNamed(arm), armNamed(baseline)];
    return {
      arm,
      baseline,
      title: `${first.label} against ${second.label}`,
      isOfProtocols: first.protocol !== second.protocol,
    };
  });
}

/** The conditions of a part with their answers, in the order of its plan. */
export function conditionsOf({ answers, networks }: PartResult): ComparedCondition[] {
  const grouped = Map.groupBy(answers, ({ network, variant }) => `${network} ${variant}`);
  return [...grouped.values()].flatMap((group): ComparedCondition[] => {
    const [first] = group;
    const network = networks.find(({ name }) => name === first?.network);
    if (!first || !network) return [];
    const { variant } = first;
    return [
      {
        network: network.name,
        variant,
        name: conditionName({ network, variant }),
        text: conditionText(network, variant),
        answers: group,
      },
    ];
  });
}

/** The pages of an answer. */
export function pagesOf({ pages }: PartResult, answer: PrimaryAnswer): PartResult['pages'] {
  return pages.filter((page) => isOfSame(page, answer));
}

/** A short answer: `21 % faster (17 to 25 % faster)`, `undecided (5 % faster to 31 % slower)`; `–`: nothing to compare. */
export function answerText(
  answer: Pick<PrimaryAnswer, 'ratio' | 'verdict'> | undefined,
  metric: Metric,
): string {
  if (!answer) return '–';
  const { ratio, verdict } = answer;
  const between = ratio && ratioIntervalWords(ratio, metric);
  const interval = between === null ? '' : ` (${between})`;
  if (verdict === 'undecided') return `${verdict}${interval}`;
  if (verdict === 'same') return `${equalWord(metric)}${interval}`;
  // Without a ratio, failures decided the verdict.
  return ratio
    ? `${ratioWords(ratio.estimate, metric)}${interval}`
    : `${verdictWord(verdict, metric)}, by failures`;
}
