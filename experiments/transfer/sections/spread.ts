import { type Metric, metricNamed, numberOf } from '../../../ground/experiment.ts';
import { html, type Markup } from '../../../kit/page/markup.ts';
import { folded, type Section } from '../../../kit/page/section.ts';
import { byCondition, hasAny } from '../../by-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { spreadFigure } from '../../spread-figure.ts';
import { transfer } from '../experiment.ts';
import { type Condition, countedOf, type Size, sizesOf } from './transfers.ts';

const SHOWN = [metricNamed(transfer, 'goodputKbps'), metricNamed(transfer, 'totalMs')];

export const spread: Section<RunView> = {
  isShown: hasAny(countedOf),
  ...folded('spread', 'Spread', (view) => ({
    title: 'Spread of goodput and total time',
    about: 'the share of transfers that reached a rate or were done by a time, size by size',
    content: html`<p>Each line rises from 0 to 100 % of a stack’s transfers of one size: at a number on the axis below, its height is the share of the transfers that had no more. Further to the right is faster
for goodput and slower for times; a steep line is steady.</p>
${byCondition(view, countedSizes, (size, name) => sizeFigure(view, size, name))}`,
  })),
};

function countedSizes(view: RunView, condition: Condition): Size[] {
  return sizesOf(countedOf(view, condition));
}

function sizeFigure({ arms, experiment }: RunView, size: Size, name: string): Markup {
  const [, several] = experiment.attempt;
  return spreadFigure(
    { what: 'goodput and total time', subject: size.subject, name },
    arms,
    SHOWN.map((measured) => ({ measured, several, samples: samplesOf(arms, size, measured) })),
  );
}

function samplesOf(arms: readonly ShownArm[], { transfers }: Size, metric: Metric) {
  return arms.map((arm) => ({
    arm,
    values: (transfers.get(arm.arm) ?? []).flatMap((each) => numberOf(each, metric) ?? []),
  }));
}
