import { conditionTitle, html } from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { table } from '../../kit/page/table.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { ageResult } from '../summary/age.ts';
import { labelOf, type ReportView } from './view.ts';

/** Whether each answer depends on the age of server and client. */
export const age: Section<ReportView> = defineFoldedSection('age', 'Planned check: age', (view) => {
  const { summary, experiment, run, conditions } = view;
  const [, several] = experiment.attempt;
  const { warmUps = 1 } = run.choices;
  const found = summary.ageChecks.filter(({ depends }) => depends).length;
  return {
    title: `Planned check: age of server and ${experiment.clientNoun}`,
    about: `${found === 0 ? 'no answer' : countWithNoun(found, 'answer')} of ${summary.ageChecks.length} found to depend on age`,
    content: html`<p>New servers and ${experiment.clientNoun}s make ${countWithNoun(warmUps, 'warm-up')} of each stack. If that is too few, the first ${several} that
count are slow, and more so for some stacks. So every answer is tested: does the ratio change with each doubling of the ${several} that server and ${experiment.clientNoun} have
made? Pairs are compared with pairs of the same start alone. The level is ${summary.ageChecks[0]?.level} for each answer; ${several} that failed have no part in it.</p>
${table({
  label: 'Whether answers depend on the age of server and client',
  caption: `How the ratio of two stacks changes with each doubling of the ${several} since the start.`,
  columns: [
    [
      'Condition',
      ({ network, variant }) => {
        const condition = conditions.find(
          (each) => each.network.name === network && each.variant === variant,
        );
        return condition ? conditionTitle(condition) : network;
      },
    ],
    [
      'Stacks',
      ({ arm, baseline }) =>
        html`<bdi>${labelOf(view, arm)}</bdi> / <bdi>${labelOf(view, baseline)}</bdi>`,
      'text',
    ],
    ['Pairs', ({ nPairs }) => nPairs],
    ['Starts', ({ nStarts }) => nStarts],
    ['Result', ageResult, 'text'],
  ],
  items: summary.ageChecks,
})}`,
  };
});
