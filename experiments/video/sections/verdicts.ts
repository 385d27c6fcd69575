import { type Metric, numberOf } from '../../../ground/experiment.ts';
import { estimateMarkup, verdictMarkup } from '../../../kit/page/estimate.ts';
import { html, type Markup, nameOf, scrollRegion } from '../../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../../kit/page/section.ts';
import { probabilityText, ratioText } from '../../../kit/text/estimate.ts';
import { headingUnit, signedValueText, valueText } from '../../../kit/text/value.ts';
import { conditionName } from '../../condition.ts';
import { medianEstimate } from '../../estimates.ts';
import { drawConditions, hasAny } from '../../per-condition.ts';
import type { ComparedArm, OtherComparison, RunView } from '../../run-view.ts';
import { VIDEO_METRICS } from '../metrics.ts';
import { type Condition, type VideoSessions, videosOf } from './sessions.ts';

/** Every metric of two arms under each condition, with what can be said of it. */
export const verdicts: Section<RunView> = {
  isShown: (view) => view.compared.length > 0 && hasAny(videosOf)(view),
  ...defineOpenSection('metrics', 'Metric by metric', (view) => ({
    content: html`<p>What two stacks come to pair by pair, as a ratio and as a difference in the metric’s unit, then their medians over the sessions, all with 95 % intervals. This run was made for the <strong>${view.metric.phrase}</strong>: its p is corrected after Holm over all
comparisons of the run, so that the chance of even one wrong verdict is at most 5 %; a session that failed by its own server counts as worse than all that ended. The other metrics are there to look around: their p is corrected after
Benjamini and Hochberg over all metrics, conditions and stacks together, so of what is called different there about one in twenty is to be expected wrong; a session that failed has no number in them. Of stalls, switches, dropped frames
and wasted bytes, which may be none at all, there are differences alone. <q>Same</q> is within the margin of verdicts, in which much stalling fits: a part of the time that plays may be the same where the time stalled differs.</p>
${drawConditions(view, (condition) =>
  videosOf(view, condition).map((video) =>
    view.compared.map((pair) => pairTable(view, condition, video, pair)),
  ),
)}`,
  })),
};

function pairTable(
  view: RunView,
  condition: Condition,
  { video, sessions }: VideoSessions,
  { arm, label, baseline }: ComparedArm,
): Markup | null {
  const found = condition.comparisons.find((each) => each.subject === video && each.arm === arm);
  if (!found) return null;
  const compared = (metric: Metric): OtherComparison | undefined =>
    metric.name === view.metric.name
      ? { ...found, pAdjusted: found.pHolm }
      : found.otherMetrics[metric.name];
  const medianOf = (of: string, metric: Metric) =>
    html`<td>${estimateMarkup(
      medianEstimate((sessions.get(of) ?? []).map((each) => numberOf(each, metric))),
      (value) => valueText(value, metric.unit),
    )}</td>`;
  const title = `${label} against ${baseline.label}`;
  return scrollRegion(
    `Metrics of ${video}, ${title}, ${conditionName(condition)}`,
    html`<table><caption>${nameOf(video)}, <bdi>${title}</bdi></caption>
<thead><tr><th scope="col" class="text">Metric</th><th scope="col" class="text">Verdict</th><th scope="col">Ratio</th><th scope="col">Difference</th><th scope="col"><bdi>${label}</bdi></th><th scope="col"><bdi>${baseline.label}</bdi></th><th scope="col">Pairs</th><th scope="col">p, corrected</th></tr></thead>
<tbody>
${VIDEO_METRICS.map((metric) => {
  const {
    nPairs = 0,
    ratio = null,
    difference = null,
    pAdjusted = null,
    verdict = null,
  } = compared(metric) ?? {};
  const isMain = metric.name === view.metric.name;
  return html`<tr><th scope="row"${isMain && html` class="main"`}>${metric.label}${headingUnit(metric.unit)}</th><td class="text">${verdict === null ? '–' : verdictMarkup(verdict, metric)}</td><td>${metric.scale === 'ratio' ? estimateMarkup(ratio, ratioText) : '–'}</td><td>${estimateMarkup(difference, (value) => signedValueText(value, metric.unit))}</td>${medianOf(arm, metric)}${medianOf(baseline.arm, metric)}<td>${nPairs}</td><td>${probabilityText(pAdjusted)}</td></tr>`;
})}</tbody></table>`,
  );
}
