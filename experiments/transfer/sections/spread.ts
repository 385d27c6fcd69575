import { metricNamed, numberOf } from '../../../ground/experiment.ts';
import { spreadFigure } from '../../../kit/charts/spread.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { drawConditions, hasAny } from '../../per-condition.ts';
import type { RunView } from '../../run-view.ts';
import { transfer } from '../experiment.ts';
import { countedOf, type Size, sizesOf } from './transfers.ts';

const SHOWN = [metricNamed(transfer, 'goodputKbps'), metricNamed(transfer, 'totalMs')];

export const spread: Section<RunView> = {
  isShown: hasAny(countedOf),
  ...defineFoldedSection('spread', 'Spread', (view) => ({
    title: 'Spread of goodput and total time',
    about: 'the share of transfers that reached a rate or were done by a time, size by size',
    content: html`<p>Each line rises from 0 to 100 % of a stack’s transfers of one size: at a number on the axis below, its height is the share of the transfers that had no more. Further to the right is faster
for goodput and slower for times; a steep line is steady.</p>
${drawConditions(view, (condition, name) => sizesOf(countedOf(view, condition)).map((size) => sizeFigure(view, size, name)))}`,
  })),
};

function sizeFigure(
  { arms, experiment }: RunView,
  { subject, transfers }: Size,
  name: string,
): Markup {
  const [, several] = experiment.attempt;
  return spreadFigure({
    name: `spread of goodput and total time, ${subject}, ${name}`,
    caption: html`<h4>${nameOf(subject)}</h4>`,
    spreads: SHOWN.map((measured) => ({
      measured,
      several,
      samples: arms.map((arm) => ({
        arm,
        values: (transfers.get(arm.arm) ?? []).flatMap((each) => numberOf(each, measured) ?? []),
      })),
    })),
  });
}
