import { pageLoad } from '../../experiments/page-load/experiment.ts';
import { metricNamed } from '../../ground/experiment.ts';
import { secondsText } from '../../kit/text/number.ts';
import { equalWord, ratioIntervalWords, ratioWords } from '../../kit/text/ratio-words.ts';
import { verdictWord } from '../../kit/text/verdict.ts';
import type { PrimaryAnswer } from '../../report/summary/comparison.ts';
import { secondaryTo } from '../../report/summary/secondary.ts';
import { mean } from '../../statistics/mean.ts';
import { median } from '../../statistics/median.ts';
import { answerText, type ComparedCondition, metricOf, pagesOf } from './answers.ts';
import type { PartResult } from './result.ts';
import {
  answerTable,
  baseRows,
  type ConditionRow,
  NETWORK_WORDS,
  rowsOfPart,
  serverName,
  shortAnswer,
  withLegend,
} from './tables.ts';

/** The answers for people who run a site, in their words. */
export function ownersText(results: readonly PartResult[]): string {
  const base = baseRows(results);
  if (base.length === 0) return '';
  return [
    `**${headline(base)}**`,
    'These are means of percentages; the best and the worst page are below each answer.',
    ...discoveryText(results),
    withLegend(baseTable(base)),
    'In brackets: intervals. All of this table hold in 95 % of such studies nominally, in 92 % in [the least favourable simulation](plan.md#clarified-after-three-sittings). *Equally fast*: the whole interval is within 5 %. Times and *pages*, the best and the worst page, are descriptive. Slow pages weigh more in milliseconds, whose [intervals](for-researchers.md) can hold 0. [Whose gain it is](for-server-developers.md#whose-gain-it-is).',
    `## Your case\n\nOn four of the pages, 30 ms away, unless a row says otherwise. Below each answer, descriptive: the *base*, which is the first table’s result on the same pages, over 30 ms if it lacks the network. The intervals belong to [a family](plan.md#questions-and-families) of 74.\n\n${withLegend(answerTable('what differs', casesOf(results), (answer, row) => answerWithBase(answer, row, base)))}`,
    `## What visitors see\n\nThe same for the first paint of content, and for the largest one, in a family of 40.\n\n${paintTable(base)}`,
  ].join('\n\n');
}

/** Where all servers are faster or slower, and where not. */
function headline(rows: readonly ConditionRow[]): string {
  const verdictOf = ({ condition }: ConditionRow) => {
    const [first, ...further] = new Set(condition.answers.map(({ verdict }) => verdict));
    return further.length === 0 ? first : undefined;
  };
  const where = (verdict: string) =>
    rows.filter((row) => verdictOf(row) === verdict).map(({ words }) => words);
  const sentences = (['faster', 'slower', 'same'] as const).flatMap((verdict) => {
    const found = where(verdict);
    const words = verdict === 'same' ? 'as fast by HTTP/3 as' : `${verdict} by HTTP/3 than`;
    return found.length === 0
      ? []
      : [
          `With every server, these pages loaded on average ${words} by HTTP/2 for visitors ${found.join('; ')}.`,
        ];
  });
  const mixed = rows.filter(
    (row) => verdictOf(row) === undefined || verdictOf(row) === 'undecided',
  );
  return [
    ...sentences,
    ...(mixed.length > 0
      ? [
          `For visitors ${mixed.map(({ words }) => words).join('; ')} the verdicts are not the same for all servers, or undecided.`,
        ]
      : []),
  ].join(' ');
}

/** The verdicts on visits that have to find HTTP/3, which the base omits. */
function discoveryText(results: readonly PartResult[]): string[] {
  const rows = casesOf(results).filter(({ result }) => result.part === 'discovered');
  if (rows.length === 0) return [];
  const lines = rows.map(({ words, result, condition }) => {
    const metric = metricOf(result);
    const groups = [...Map.groupBy(condition.answers, ({ verdict }) => verdict)].map(
      ([verdict, answers]) =>
        `${verdict === 'same' ? equalWord(metric) : verdictWord(verdict, metric)} with ${answers.map(({ arm }) => serverName(result, arm)).join(', ')}`,
    );
    return `- ${words}: ${groups.join('; ')}`;
  });
  return [
    'In these loads the browser knew that the site has HTTP/3. Where it has to find that out, on four of the pages 30 ms away:',
    lines.join('\n'),
  ];
}

function baseTable(rows: readonly ConditionRow[]): string {
  const heading = 'your visitors';
  const [head = '', line = '', ...lines] = answerTable(heading, rows, answerWithTime).split('\n');
  // The time by HTTP/2 says how much a percentage is.
  const before = (text: string, cell: string) => text.replace(/^(\| [^|]*\|)/, `$1 ${cell} |`);
  return [
    before(head, 'HTTP/2 takes'),
    before(line, '---'),
    ...lines.map((each, index) => before(each, timeByHttp2(rows[index] as ConditionRow))),
  ].join('\n');
}

/** An answer with the least and the greatest effect on a page. A decided one also in ms: undecided, they would look like an answer. */
function answerWithTime(answer: PrimaryAnswer | undefined, { result }: ConditionRow): string {
  const metric = metricOf(result);
  const words = shortAnswer(answer, metric);
  if (!answer) return words;
  const ratios = Object.values(ratiosOfPages(result, answer));
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
  const pages = ratioIntervalWords({ estimate: low, low, high }, metric);
  const isDecided = answer.verdict === 'faster' || answer.verdict === 'slower';
  const ms = isDecided ? answer.difference?.estimate : undefined;
  // Slow pages weigh more in ms, so its sign can be another one.
  const time =
    ms === undefined ? [] : [`${Math.abs(Math.round(ms))} ms ${ms < 0 ? 'less' : 'more'}`];
  return [words, ...time, ...(ratios.length > 0 ? [`pages ${pages}`] : [])].join('<br>');
}

/** The ratio of each page of an answer that has one. */
function ratiosOfPages(result: PartResult, answer: PrimaryAnswer): Record<string, number> {
  return Object.fromEntries(
    pagesOf(result, answer).flatMap(({ subject, ratio }) =>
      ratio ? [[subject, ratio.estimate]] : [],
    ),
  );
}

/** An answer, and below it the ratio of the base on the same pages. */
function answerWithBase(
  answer: PrimaryAnswer | undefined,
  { result, condition }: ConditionRow,
  base: readonly ConditionRow[],
): string {
  const words = shortAnswer(answer, metricOf(result));
  const over = (name: string) => base.find((row) => row.condition.network === name);
  const row = over(condition.network) ?? over('30ms');
  const server = answer && serverName(result, answer.arm);
  const compared = row?.condition.answers.find(({ arm }) => serverName(row.result, arm) === server);
  if (!row || !compared) return words;
  const ratios = ratiosOfPages(row.result, compared);
  const ratio = mean(result.subjects.flatMap(({ subject }) => logOf(ratios[subject])));
  return ratio === null
    ? words
    : `${words}<br>base: ${ratioWords(Math.exp(ratio), metricOf(result))}`;
}

function logOf(ratio: number | undefined): number[] {
  return ratio === undefined ? [] : [Math.log(ratio)];
}

/** The mean over the pages of the median over the servers of their median loads. */
function timeByHttp2({ result, condition: { network, variant, answers } }: ConditionRow): string {
  const baselines = new Set(answers.map(({ baseline }) => baseline));
  const own = result.loads.filter(
    (each) => each.network === network && each.variant === variant && baselines.has(each.arm),
  );
  const times = [...Map.groupBy(own, ({ subject }) => subject).values()].flatMap(
    (loads) => median(loads.flatMap(({ medianMs }) => medianMs ?? [])) ?? [],
  );
  const time = mean(times);
  return time === null ? '–' : `${secondsText(time)} s`;
}

/** What differs in each further part, in words for people who run a site; the rest is for other readers. */
const CASES: Readonly<Record<string, (condition: ComparedCondition) => string>> = {
  'as-installed': ({ network }) =>
    `TCP as Linux has it (10 packets, a small receive window), ${NETWORK_WORDS[network]}`,
  'own-host': () => 'four pages of many hosts, of which only the own one has HTTP/3',
  discovered: ({ variant }) => DISCOVERY[variant] ?? variant,
  firefox: () => 'Firefox',
  distances: ({ name }) => `${name.replace(/(\d+)ms/, '$1 ms')} away`,
  rates: ({ name }) => `a link of ${Number(/down(\d+)/.exec(name)?.[1]) / 1000} Mbit/s`,
};

const DISCOVERY: Readonly<Record<string, string>> = {
  cold: 'a first visit; HTTP/3 is announced by Alt-Svc alone',
  discovered: 'a later visit with an empty cache; HTTP/3 was announced by Alt-Svc',
  'https-record': 'a first visit; an HTTPS record in the DNS announces HTTP/3',
};

function casesOf(results: readonly PartResult[]): ConditionRow[] {
  return Object.entries(CASES).flatMap(([part, words]) => rowsOfPart(results, part, words));
}

const PAINTS = { firstContentfulPaintMs: 'first', largestContentfulPaintMs: 'largest' };

function paintTable(rows: readonly ConditionRow[]): string {
  const both = rows.flatMap((row) =>
    Object.entries(PAINTS).map(([metric, which]) => ({
      ...row,
      words: `${which} paint, ${row.words}`,
      metric: metricNamed(pageLoad, metric),
    })),
  );
  return answerTable('paint', both, (answer, row) => {
    const { metric } = row as (typeof both)[number];
    const paints = answer ? secondaryTo(answer, { secondary: row.result.paints }) : [];
    return answerText(
      paints.find((each) => each.metric === metric.name),
      metric,
    );
  });
}
