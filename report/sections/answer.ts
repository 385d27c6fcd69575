import { isProtocolPair } from '../../experiments/stacks.ts';
import { type Metric, metricNamed, worsening } from '../../ground/experiment.ts';
import { hostSentences } from '../../ground/records/hosts-by-protocol.ts';
import { verdictMarkup } from '../../kit/page/estimate.ts';
import { conditionTitle, html, type Insert, type Markup } from '../../kit/page/markup.ts';
import type { Section } from '../../kit/page/section.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { endSentence } from '../../kit/text/end.ts';
import {
  type Estimate,
  estimateText,
  keepUnitsTogether,
  ratioText,
  ratioWithInterval,
} from '../../kit/text/estimate.ts';
import { countWithNoun, decimalText, rangeText, secondsText } from '../../kit/text/number.ts';
import { equalWord, ratioWords, worthText } from '../../kit/text/ratio-words.ts';
import { sentences } from '../../kit/text/sentences.ts';
import { unitSuffix, valueText } from '../../kit/text/value.ts';
import { undecidedTestsText } from '../../kit/text/verdict.ts';
import type { PrimaryAnswer } from '../summary/comparison.ts';
import { verdictUnder } from '../summary/fairness.ts';
import { filmedPairs } from '../summary/filmed.ts';
import { stackNamed } from '../summary/primary-questions.ts';
import { secondaryTo } from '../summary/secondary.ts';
import { SIGNIFICANCE, undecidableTests } from '../summary/verdict.ts';
import { answerText, controlText, PROTOCOLS } from '../text/answers.ts';
import { STOCK_TRANSPORTS } from '../text/recommendation.ts';
import { forest } from './forest.ts';
import { recommendationMarkup } from './recommendation.ts';
import {
  type ConditionView,
  conditionsPhrase,
  isOfBench,
  labelOf,
  type ReportView,
  unlikeSentence,
} from './view.ts';

/** The answers first: for each condition a sentence, its certainty, and the picture of its sites. */
export const answer: Section<ReportView> = {
  id: 'answer',
  title: null,
  render,
};

function render(view: ReportView, id: string): Markup {
  const { conditions, summary, compared } = view;
  const [, several] = view.experiment.attempt;
  return html`<section class="answer" aria-labelledby="${id}">
<h2 id="${id}">The answer</h2>
${recommendationMarkup(view)}
${
  summary.matchedCommand &&
  html`<p class="counts">${STOCK_TRANSPORTS} <code>${summary.matchedCommand}</code></p>`
}
${compared.length === 0 && html`<p>${singleStackMarkup(view)}</p>`}
<ul class="answers pictured">
${(compared.length === 0 ? [] : conditions).map(
  (condition) =>
    html`<li>${
      condition.primary.length > 0
        ? answersOf(view, condition)
        : html`<h3>${conditionTitle(condition)}</h3><p>No pair of ${several} was made, so nothing can be compared.</p>`
    }</li>`,
)}</ul>
${hostSentences(view.run).map((sentence) => html`<p class="counts">${sentence}</p>`)}
${summary.controls.map(
  (each) => html`<p><strong>Control.</strong> ${controlText(each, summary)}</p>`,
)}
${certaintyMarkup(view)}
</section>`;
}

function singleStackMarkup({ summary, arms }: ReportView): Markup {
  return html`The run has one stack${arms.map(({ label }) => html`, <bdi>${label}</bdi>`)}, so no stacks are compared. ${
    summary.conditionChanges.length > 0 &&
    html`<a href="#conditions">Its conditions are compared with each other</a>.`
  }`;
}

/** Pairs that differ in protocol answer the question; the rest is folded. */
function answersOf(view: ReportView, condition: ConditionView): Markup {
  const [first, ...further] = condition.primary.toSorted(
    (a, b) => Number(isProtocolPair(b.arm, b.baseline)) - Number(isProtocolPair(a.arm, a.baseline)),
  );
  const title = html`<h3>${conditionTitle(condition)}</h3>`;
  return html`${first && answerMarkup(view, condition, first, title)}${further.map((other) =>
    isProtocolPair(other.arm, other.baseline)
      ? answerMarkup(view, condition, other)
      : html`<details class="printed"><summary>${inShort(view, other)}</summary>
${answerMarkup(view, condition, other)}</details>`,
  )}`;
}

function answerMarkup(
  view: ReportView,
  condition: ConditionView,
  primary: PrimaryAnswer,
  title: Markup | null = null,
): Markup {
  const { arm, baseline, nPairs } = primary;
  const sentence = answerText(primary, view.summary);
  const unlike = unlikeSentence(view, primary, condition);
  const [short, programs] = headline(view, primary, sentence);
  return html`<div class="picture ${isProtocolPair(arm, baseline) ? 'protocol-pair' : 'other-pair'}"><div>${title}
<p class="sentence">${keepUnitsTogether(short)}</p>
${programs !== null && html`<p class="programs">${programs}</p>`}
${
  nPairs > 0 &&
  html`${measures(view, condition, primary)}
<p class="counts">${sampleSizeText(view, primary)}</p>`
}
${caveats(view, primary).map(
  (text) => html`<p class="counts"><strong>${keepUnitsTogether(text)}</strong></p>`,
)}
${
  nPairs > 0 &&
  html`${unlike && html`<p class="counts"><strong>${repeatedDifference(view, condition, primary) ?? unlike}</strong></p>`}
${short !== sentence && html`<details class="counts printed"><summary>In percent, and in full</summary><p>${keepUnitsTogether(sentence)}</p></details>`}
${moreDetails(view, primary)}`
}</div>
${forest(view, condition, primary)}</div>
`;
}

/** Refers to an earlier condition with the same differences; null: no such condition. */
function repeatedDifference(
  { run, summary }: ReportView,
  { network, variant }: ConditionView,
  primary: PrimaryAnswer,
): string | null {
  const condition = { network: network.name, variant };
  const verdict = verdictUnder(summary.fairness, primary, condition);
  const [first] = verdict?.conditions ?? [];
  if (!isOfBench(run) || verdict?.likeForLike !== 'no' || !first) return null;
  if (first.network === condition.network && first.variant === variant) return null;
  return `Not like for like, as ${conditionsPhrase([first])}.`;
}

/** The shortest form of an answer: protocols if they differ, with the programs; programs null: already named. */
function headline(
  view: ReportView,
  primary: PrimaryAnswer,
  sentence: string,
): [short: string, programs: Markup | null] {
  const { arm, baseline, ratio, difference, verdict } = primary;
  const { metric, run, experiment } = view;
  const labels = [labelOf(view, arm), labelOf(view, baseline)] as const;
  const protocols = [arm, baseline].map((name) => PROTOCOLS[stackNamed(run, name).protocol]);
  const isOfProtocols = isProtocolPair(arm, baseline) && protocols[0] !== protocols[1];
  const [own, other] = isOfProtocols ? protocols : labels;
  const programs = isOfProtocols
    ? html`<bdi>${labels[0]}</bdi> against <bdi>${labels[1]}</bdi>`
    : null;
  if (ratio === null) return [sentence, null];
  if (ratio.low === null && ratio.high === null) {
    return [`Too few ${experiment.attempt[1]} to compare ${own} with ${other}`, programs];
  }
  switch (verdict) {
    case 'undecided':
      return [`No clear difference between ${own} and ${other}`, programs];
    case 'same':
      return [`${own} and ${other} are ${equalWord(metric)}`, programs];
    default: {
      const isOpposed = difference === null || Math.log(ratio.estimate) * difference.estimate < 0;
      return [
        isOpposed
          ? `${own} is ${ratioWords(ratio.estimate, metric)} than ${other}`
          : `${own} ${differing(difference, metric)} than ${other}`,
        programs,
      ];
    }
  }
}

/** `is 360 ms slower`; for a metric that is not a time, `has 1.20 Mbit/s more`. */
function differing(difference: Estimate, metric: Metric): string {
  const { worth } = momentText(difference, metric);
  if (metric.unit !== 'ms') return `has ${worth}`;
  const [better, worse] = metric.words;
  return `is ${worth.replace(/ [a-z]+$/, '')} ${worsening(difference.estimate, metric) > 0 ? worse : better}`;
}

interface MeasureRow extends Pick<PrimaryAnswer, 'difference' | 'nPairs' | 'ratio' | 'verdict'> {
  metric: Metric;
  medians: Medians;
  notes: readonly string[];
}

interface Medians {
  arm: number | null;
  baseline: number | null;
}

/** The primary metric and further ones, a line each. */
function measures(view: ReportView, condition: ConditionView, primary: PrimaryAnswer): Markup {
  const { metric, experiment, summary } = view;
  const all: MeasureRow[] = [
    { ...primary, metric, medians: mediansOf(condition, primary), notes: [] },
    ...secondaryTo(primary, summary).map((each) => ({
      ...each,
      metric: metricNamed(experiment, each.metric),
    })),
  ];
  return html`<ul class="measures">
${all.map(
  (each) =>
    html`<li><span>${each.metric.label}</span> <span class="sure">${
      each.nPairs === 0 ? `no pair of ${experiment.attempt[1]} has it` : againstText(each)
    }</span> ${shift(each)} ${verdictMarkup(each.verdict, each.metric)}${each.notes.map(
      (note) => html`
<p class="counts">${keepUnitsTogether(note)}</p>`,
    )}</li>`,
)}${filmedPairs(primary, summary).map(
  (each) =>
    html`<li><span>${each.metric.label}</span> <span class="sure">${againstText(each)}</span> <span class="sure">${each.nLoads.join(' and ')} filmed loads</span></li>`,
)}</ul>`;
}

/** `1.68 s against 1.33 s`; null where a median is missing. */
function againstText({
  medians,
  metric: { unit },
}: {
  medians: Medians;
  metric: Pick<Metric, 'unit'>;
}): string | null {
  const { arm, baseline } = medians;
  if (arm === null || baseline === null) return null;
  const text = (value: number) => {
    if (unit !== 'ms') return `${valueText(value, unit)}${unitSuffix(unit)}`;
    if (isLong(medians)) return `${secondsText(value)} s`;
    return `${decimalText(value, value < 9.95 ? 1 : 0)} ms`;
  };
  return keepUnitsTogether(`${text(arm)} against ${text(baseline)}`);
}

/** `360 ms later (190 to 650)`. */
function shift({ difference, metric }: Pick<MeasureRow, 'difference' | 'metric'>): Markup {
  if (difference === null) return html`<span></span>`;
  const { worth, interval } = momentText(difference, metric);
  return html`<span><strong>${keepUnitsTogether(worth)}</strong>${interval !== null && html` <span class="sure">(${interval})</span>`}</span>`;
}

/** A difference, in s from 1 s on: smaller ones would lose their digits. */
function momentText(difference: Estimate, metric: Metric) {
  return worthText(difference, metric, {
    as: 'moment',
    inSeconds: Math.abs(difference.estimate) >= 1000,
  });
}

/** Whether to show times in s. */
function isLong({ arm, baseline }: Medians): boolean {
  return Math.max(arm ?? 0, baseline ?? 0) >= 1000;
}

/** A folded answer in one line. */
function inShort(view: ReportView, primary: PrimaryAnswer): Markup {
  const { arm, baseline, nPairs } = primary;
  return html`<bdi>${labelOf(view, arm)}</bdi> against <bdi>${labelOf(view, baseline)}</bdi>: ${
    nPairs > 0
      ? html`${verdictMarkup(primary.verdict, view.metric)} ${shift({ ...primary, metric: view.metric })}`
      : `no pair of ${view.experiment.attempt[1]}`
  }`;
}

function mediansOf({ overview }: ConditionView, { arm, baseline }: PrimaryAnswer): Medians {
  const of = (name: string) =>
    overview.arms.find((each) => each.arm === name)?.medianOfSiteMedians ?? null;
  return { arm: of(arm), baseline: of(baseline) };
}

/** Number of pairs of the answer, and whether it was decided early. */
function sampleSizeText(
  { experiment }: ReportView,
  { nPairs, nSites, decidedAfterPairs }: PrimaryAnswer,
): string {
  const ofEach = (pairs: number) => Math.ceil(pairs / nSites);
  const pairs = `Medians over ${countWithNoun(nPairs, 'pair')} of ${experiment.attempt[1]}; differences are taken pair by pair, with their likely range in brackets`;
  return decidedAfterPairs !== null && decidedAfterPairs < nPairs
    ? `${pairs}; decided after ${ofEach(decidedAfterPairs)} of each ${experiment.subject[0]}.`
    : `${pairs}.`;
}

/** Caveats that are always visible. */
function caveats(
  { experiment }: ReportView,
  { verdict, ratio, ratioWithoutDisturbed, notes }: PrimaryAnswer,
): string[] {
  const [, several] = experiment.attempt;
  const clear = (estimate: typeof ratio) =>
    estimate !== null && ((estimate.high ?? 2) < 1 || (estimate.low ?? 0) > 1);
  const isDecided = verdict === 'faster' || verdict === 'slower';
  const dependsOnDisturbed =
    isDecided && clear(ratio) && ratioWithoutDisturbed !== null && !clear(ratioWithoutDisturbed);
  return sentences(
    isDecided &&
      ratio !== null &&
      !clear(ratio) &&
      `It was decided earlier. Over all ${several} it is undecided.`,
    notes,
    dependsOnDisturbed &&
      (ratioWithoutDisturbed.low === null && ratioWithoutDisturbed.high === null
        ? `The ${several} during which the machine was busy count. Without them there are too few for an interval, with a ratio of ${ratioText(ratioWithoutDisturbed.estimate)}.`
        : `Without the ${several} during which the machine was busy it is undecided: ratio ${estimateText(ratioWithoutDisturbed, ratioText)}.`),
  );
}

function moreDetails(
  { experiment }: ReportView,
  { pagesLikeThese, ratioWithoutDisturbed }: PrimaryAnswer,
): Markup | null {
  const [, several] = experiment.attempt;
  const [page, pages] = experiment.subject;
  const parts: { about: string; text: string }[] = [];
  if (ratioWithoutDisturbed) {
    const text = `Without the ${several} during which the machine was busy: ratio ${estimateText(ratioWithoutDisturbed, ratioText)}.`;
    parts.push({ about: `without the ${several} of a busy machine`, text });
  }
  if (pagesLikeThese) {
    const { nSites, ratio, ofOneMore } = pagesLikeThese;
    const text = `If these ${nSites} ${pages} are a sample of similar ${pages}, the mean ratio of those is ${ratioWithInterval(ratio)}, and one more such ${page} is expected to lie between ${ratioText(ofOneMore.low)} and ${ratioText(ofOneMore.high)} (95 % each, not corrected).`;
    parts.push({ about: `similar ${pages}`, text });
  }
  if (parts.length === 0) return null;
  return html`<details class="counts printed"><summary>More: ${parts.map(({ about }) => about).join(', ')}</summary>
${parts.map(({ text }) => html`<p>${keepUnitsTogether(text)}</p>`)}</details>`;
}

/** Certainty of all answers together, and the meaning of verdicts. */
function certaintyMarkup(view: ReportView): Markup | null {
  const { summary, compared, metric, conditions } = view;
  if (compared.length === 0) return null;
  const pairs = conditions.flatMap(({ comparisons }) => comparisons.map(({ nPairs }) => nPairs));
  const least = pairs.length > 0 ? Math.min(...pairs) : 0;
  const few = undecidableTests(conditions.flatMap(({ comparisons }) => comparisons));
  const certain = sentences(
    endSentence(summary),
    certaintyText(view),
    pairs.length > 0 &&
      `Each ${view.experiment.site[0]} was compared over ${rangeText(pairs)} ${Math.max(...pairs) === 1 ? 'pair' : 'pairs'} of ${view.experiment.attempt[1]}.`,
    least < 6 && 'A test needs 6 pairs.',
    few &&
      undecidedTestsText(
        few,
        view.experiment,
        summary.looks !== null && summary.looks.end !== 'repetitions',
      ),
    least >= 6 && least < 20 && 'Fewer than 20 pairs are weak evidence.',
  );
  return html`${
    metric.name === 'documentMs' &&
    html`<p>Everything here is about <strong>document time</strong>, the main document’s request alone. It says nothing about the rest of the page:
page load time is among the other metrics of each site, below.</p>`
  }<p class="quiet">${keepUnitsTogether(certain.join(' '))}</p>
${meanings(view)}`;
}

function certaintyText({
  experiment,
  summary: { primary, secondary, looks, subjects },
}: ReportView): string | null {
  const known = primary.filter(
    ({ ratio }) => ratio !== null && (ratio.low !== null || ratio.high !== null),
  );
  if (known.length === 0) return null;
  const alone = primary.length === 1;
  const wrong = alone ? 'a wrong verdict' : 'even one wrong verdict';
  return `Intervals are wide enough that${alone ? '' : ` over these ${primary.length} comparisons`}${overLooks(looks)} the risk of ${wrong} is at most ${decimalText(100 * SIGNIFICANCE)} %.${secondary.length === 0 ? '' : ` The ${countWithNoun(secondary.length, 'comparison')} of further metrics have another ${decimalText(100 * SIGNIFICANCE)} %.`}${subjects.length > 1 ? ` Each ${experiment.site[0]} alone has 95 % intervals.` : ''}`;
}

function overLooks(looks: ReportView['summary']['looks']): string {
  if (looks === null) return '';
  return looks.nLooks > 1 ? ` and ${countWithNoun(looks.nLooks, 'look')}` : ' and all looks';
}

/** Legend of the pictures, and the rules of verdicts. */
function meanings({ summary, metric, experiment, ofPages }: ReportView): Markup {
  const { marginPercent, nTests, chosenAfterTheRun } = summary.analysis;
  const margin = `${decimalText(marginPercent)} %`;
  const signs: Insert[] = (['faster', 'slower', 'same', 'undecided'] as const).map((verdict) =>
    verdictMarkup(verdict, metric),
  );
  const [better, worse] = metric.words;
  const [, several] = experiment.attempt;
  const [site, sites] = experiment.site;
  return html`<details class="meanings printed"><summary><span class="legend">${signs}<span><span class="swatch band" aria-hidden="true"></span>within ${margin}</span>${summary.subjects.length > 1 && html`<span>◆ all ${sites} together</span>`}</span></summary>
<p>A sign is the ratio of two ${metric.unit === 'ms' ? 'times (1: the same; 0.8: a fifth less time)' : 'numbers (1: the same; 0.8: a fifth less)'}, the line through it its interval${summary.subjects.length > 1 && `, the diamond all ${sites} together, as wide as its interval`}. <em>${capitalize(better)}</em> and <em>${worse}</em>: the whole interval lies on one side of 1${
    nTests > 0 &&
    `; on a single ${site}, a test is significant after correction for ${countWithNoun(nTests, 'test')}`
  }. <em>Same</em>: the whole interval lies within ${margin} of equal${
    chosenAfterTheRun ? html`, a margin <strong>chosen after the run</strong>` : ''
  }. <em>Undecided</em>: neither is shown. ${capitalize(several)} that failed by their server${ofPages && ' or page'} count as ${worse} than all that ended. If too many failed for a ratio,
the stack that failed more often is the ${worse} one.</p></details>`;
}
