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
    about: 'cumulative distributions of rates and times, for each size',
    content: html`<p>Each line is the cumulative distribution over a stack’s transfers of one size: its height is the share of the transfers with at most the value on the axis below. Further to the right is faster
for goodput and slower for times; a steep line means little variation.</p>
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
