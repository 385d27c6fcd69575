import { estimateMarkup } from '../../kit/page/estimate.ts';
import { html, type Markup } from '../../kit/page/markup.ts';
import { table } from '../../kit/page/table.ts';
import { keepUnitsTogether } from '../../kit/text/estimate.ts';
import { countText, decimalText } from '../../kit/text/number.ts';
import { differenceText } from '../../kit/text/value.ts';
import type { MixAnswer } from '../summary/mix.ts';
import { mixText, pairNamesOf, VISIT } from '../text/mix.ts';
import { adviceText, notMeasuredText, reasonTexts } from '../text/recommendation.ts';
import { labelOf, type ReportView } from './view.ts';

/** Advice, and the answers for the mix of visits, at the top of the page. */
export function recommendationMarkup(view: ReportView): Markup {
  const { recommendations, mix } = view.summary;
  const isOf = (pair: Pick<MixAnswer, 'arm' | 'baseline'>) => (each: MixAnswer) =>
    each.arm === pair.arm && each.baseline === pair.baseline;
  const further = mix.filter((each) => !recommendations.some((pair) => isOf(pair)(each)));
  return html`${recommendations.map(
    (each) => html`<div class="advice"><p class="sentence">${adviceText(each)}</p>
${
  recommendations.length > 1 &&
  html`<p class="programs"><bdi>${labelOf(view, each.arm)}</bdi> against <bdi>${labelOf(view, each.baseline)}</bdi></p>`
}
${mix.filter(isOf(each)).map((answer) => html`<p><strong>${keepUnitsTogether(mixText(answer, view.summary))}</strong></p>`)}
<p>${keepUnitsTogether(reasonTexts(each, view.summary).join(' '))}</p>
<p class="quiet">${notMeasuredText(each)}</p>
${mix.filter(isOf(each)).map((answer) => mixTable(view, answer))}</div>`,
  )}${
    further.length > 0 &&
    html`<details class="printed"><summary>The mix of visits with other stacks</summary>
${further.map(
  (answer) => html`<p>${keepUnitsTogether(mixText(answer, view.summary))}</p>
${mixTable(view, answer)}`,
)}</details>`
  }`;
}

function mixTable({ summary }: ReportView, answer: MixAnswer): Markup {
  const [own, other] = pairNamesOf(answer, summary);
  const ms = (value: number) => differenceText(Math.round(value), 'ms').replace(/\.0$/, '');
  return html`${table<MixAnswer['conditions'][number]>({
    caption: html`${own} minus ${other}: mean and ${decimalText(100 * (1 - answer.level))} % interval`,
    label: 'The mix of visits by network',
    columns: [
      ['Network', ({ network }) => network],
      ['Share', ({ sharePercent }) => `${decimalText(sharePercent, 1)} %`],
      ['Pairs', ({ nPairs }) => countText(nPairs)],
      ['Difference, ms', ({ differenceMs }) => estimateMarkup(differenceMs, ms)],
    ],
    items: answer.conditions,
  })}
<p class="counts">${VISIT}</p>`;
}
