import { html, type Markup } from '../../kit/page/markup.ts';
import { table } from '../../kit/page/table.ts';
import { intervalText, keepUnitsTogether } from '../../kit/text/estimate.ts';
import { countText, decimalText } from '../../kit/text/number.ts';
import { differenceText } from '../../kit/text/value.ts';
import type { MixAnswer } from '../summary/mix.ts';
import { mixText, pairNamesOf, VISIT } from '../text/mix.ts';
import { adviceText, notMeasuredText, reasonTexts } from '../text/recommendation.ts';
import { labelOf, type ReportView } from './view.ts';

/** Advice, and the answer for the mix of visits, at the top of the page. */
export function recommendationMarkup(view: ReportView): Markup {
  const { recommendations, mix } = view.summary;
  const isFirst = (each: MixAnswer) =>
    recommendations.some(({ arm, baseline }) => arm === each.arm && baseline === each.baseline);
  const further = mix.filter((each) => !isFirst(each));
  return html`${recommendations.map(
    (each) => html`<div class="advice"><p class="sentence">${adviceText(each)}</p>
${
  recommendations.length > 1 &&
  html`<p class="programs"><bdi>${labelOf(view, each.arm)}</bdi> against <bdi>${labelOf(view, each.baseline)}</bdi></p>`
}
${reasonTexts(each, view.summary).map((text) => html`<p>${keepUnitsTogether(text)}</p>`)}
<p class="quiet">${notMeasuredText(each)}</p></div>`,
  )}${mix.filter(isFirst).map((each) => mixMarkup(view, each))}${
    further.length > 0 &&
    html`<details class="printed"><summary>The mix of visits with other stacks</summary>
${further.map((each) => mixMarkup(view, each))}</details>`
  }`;
}

function mixMarkup({ summary }: ReportView, answer: MixAnswer): Markup {
  const [own, other] = pairNamesOf(answer, summary);
  const ms = (value: number) => differenceText(value, 'ms');
  return html`<p><strong>${keepUnitsTogether(mixText(answer, summary))}</strong></p>
${table<MixAnswer['conditions'][number]>({
  caption: html`${own} minus ${other}, mean in ms with its ${decimalText(100 * (1 - answer.level))} % interval. ${VISIT}`,
  label: 'The mix of visits by network',
  columns: [
    ['network', ({ network }) => network, 'text'],
    ['share', ({ sharePercent }) => `${decimalText(sharePercent, 1)} %`],
    ['visits', ({ nPairs }) => countText(nPairs)],
    ['difference', ({ differenceMs }) => (differenceMs ? ms(differenceMs.estimate) : '–')],
    ['interval', ({ differenceMs }) => (differenceMs ? intervalText(differenceMs, ms) : '–')],
  ],
  items: answer.conditions,
})}`;
}
