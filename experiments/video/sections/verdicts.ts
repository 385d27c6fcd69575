import { type Metric, numberOf } from '../../../ground/experiment.ts';
import { estimateMarkup, verdictMarkup } from '../../../kit/page/estimate.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../../kit/page/section.ts';
import { type Column, table } from '../../../kit/page/table.ts';
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

interface Row extends OtherComparison {
  metric: Metric;
}

const NOT_COMPARED = { nPairs: 0, ratio: null, difference: null, pAdjusted: null, verdict: null };

function pairTable(
  view: RunView,
  condition: Condition,
  { video, sessions }: VideoSessions,
  { arm, label, baseline }: ComparedArm,
): Markup | null {
  const found = condition.comparisons.find((each) => each.subject === video && each.arm === arm);
  if (!found) return null;
  const medianColumn = (heading: string, of: string): Column<Row> => [
    html`<bdi>${heading}</bdi>`,
    ({ metric }) => {
      const values = (sessions.get(of) ?? []).map((each) => numberOf(each, metric));
      return estimateMarkup(medianEstimate(values), (value) => valueText(value, metric.unit));
    },
  ];
  const title = `${label} against ${baseline.label}`;
  const main = view.metric.name;
  return table<Row>({
    label: `Metrics of ${video}, ${title}, ${conditionName(condition)}`,
    caption: html`${nameOf(video)}, <bdi>${title}</bdi>`,
    columns: [
      [
        'Metric',
        ({ metric }) => `${metric.label}${headingUnit(metric.unit)}`,
        ({ metric }) => (metric.name === main ? 'main' : ''),
      ],
      [
        'Verdict',
        ({ metric, verdict }) => (verdict ? verdictMarkup(verdict, metric) : '–'),
        'text',
      ],
      [
        'Ratio',
        ({ metric, ratio }) => (metric.scale === 'ratio' ? estimateMarkup(ratio, ratioText) : '–'),
      ],
      [
        'Difference',
        ({ metric, difference }) =>
          estimateMarkup(difference, (value) => signedValueText(value, metric.unit)),
      ],
      medianColumn(label, arm),
      medianColumn(baseline.label, baseline.arm),
      ['Pairs', ({ nPairs }) => nPairs],
      ['p, corrected', ({ pAdjusted }) => probabilityText(pAdjusted)],
    ],
    items: VIDEO_METRICS.map((metric) => ({
      metric,
      ...NOT_COMPARED,
      ...(metric.name === main
        ? { ...found, pAdjusted: found.pHolm }
        : found.otherMetrics[metric.name]),
    })),
  });
}
