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

/** Every metric of two arms under each condition, with its verdict. */
export const verdicts: Section<RunView> = {
  isShown: (view) => view.compared.length > 0 && hasAny(videosOf)(view),
  ...defineOpenSection('metrics', 'Metric by metric', (view) => ({
    content: html`<p>Paired comparison of two stacks, as a ratio and as a difference in the metric’s unit, then the medians over their sessions, all with 95 % intervals. The main metric of this run is the <strong>${view.metric.phrase}</strong>. Its p is corrected after Holm over all
comparisons of the run, so that the chance of even one wrong verdict is at most 5 %; a session that its own server failed ranks below all sessions that ended. The other metrics are exploratory. Their p is corrected after
Benjamini and Hochberg over all metrics, conditions and stacks together: expect about one in twenty of the differences to be wrong. A failed session has no value in them. Stalls, switches, dropped frames
and wasted bytes may be 0, so that they have differences only. <q>Same</q> means within the margin of verdicts, which much stalling fits into: the share of time playing may be the same although the time stalled differs.</p>
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
