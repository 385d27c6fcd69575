import { verdictMetric } from '../experiments/index.ts';
import { OPTION_DEFAULTS } from './defaults.ts';
import { number, text, textOrNothing } from './readers.ts';
import { optionGroup } from './row.ts';

/** What is compared with what, and what is said of it. */
export const COMPARISON_OPTIONS = optionGroup('The comparison', 'analysis', {
  baseline: {
    argument: 'STACK',
    help: ({ baseline }) =>
      `the stack that the others are compared with (default ${baseline}, else the first)`,
    read: text,
    said: ({ arms, analysis: { baseline } }) => [
      ['Baseline', arms.find(({ arm }) => arm === baseline)?.label ?? baseline],
    ],
  },
  margin: {
    argument: '%',
    help: 'two stacks are the same when the whole interval of their ratio lies within this many percent of 1',
    read: number([0.1, 50]),
    byDefault: OPTION_DEFAULTS.marginPercent,
    said: ({ analysis }) => [['Margin of “same”', `${analysis.marginPercent} %`]],
  },
  metric: {
    argument: 'METRIC',
    help: ({ metrics }) => `what verdicts are about: ${metrics.join(', ')} (default the first)`,
    read: text,
    said: (run) => [['Verdicts about', verdictMetric(run).phrase]],
  },
  control: {
    argument: '[STACK]',
    help: 'A/A test: loads one stack (default the baseline) a second time under another label; shows how often this machine finds differences that do not exist',
    read: textOrNothing,
    decides: 'plan',
    said: ({ arms }) => {
      const labels = arms.flatMap(({ label, controlOf }) => (controlOf === null ? [] : [label]));
      return [['Control', labels.join(', ') || 'none']];
    },
  },
});
