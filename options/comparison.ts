import { verdictMetric } from '../experiments/index.ts';
import { OPTION_DEFAULTS } from './defaults.ts';
import { number, text, textOrNothing } from './readers.ts';
import type { OptionTable } from './row.ts';

const group = 'The comparison';

/** What is compared with what, and what is said of it. */
export const COMPARISON_OPTIONS = {
  baseline: {
    argument: 'STACK',
    group,
    help: ({ baseline }) =>
      `the stack that the others are compared with (default ${baseline}, or the first where it is not measured)`,
    read: text,
    byDefault: null,
    decides: 'analysis',
    said: ({ arms, analysis: { baseline } }) => [
      ['Baseline', arms.find(({ arm }) => arm === baseline)?.label ?? baseline],
    ],
  },
  margin: {
    argument: '%',
    group,
    help: 'two stacks are the same when the whole interval of their ratio lies within this many percent of 1',
    read: number([0.1, 50]),
    byDefault: OPTION_DEFAULTS.marginPercent,
    decides: 'analysis',
    said: ({ analysis }) => [['Margin of “same”', `${analysis.marginPercent} %`]],
  },
  metric: {
    argument: 'METRIC',
    group,
    help: ({ metrics }) => `what verdicts are about: ${metrics.join(', ')} (default ${metrics[0]})`,
    read: text,
    byDefault: null,
    decides: 'analysis',
    said: (run) => [['Verdicts about', verdictMetric(run).phrase]],
  },
  control: {
    argument: '[STACK]',
    group,
    help: 'A/A test: measures one stack (without STACK the baseline) a second time under another label, which shows how often this machine finds differences that do not exist',
    read: textOrNothing,
    byDefault: null,
    decides: 'plan',
    said: ({ arms }) => {
      const labels = arms.flatMap(({ label, controlOf }) => (controlOf === null ? [] : [label]));
      return [['Control', labels.join(', ') || 'none']];
    },
  },
} satisfies OptionTable;
