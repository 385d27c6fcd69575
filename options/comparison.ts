import { verdictMetric } from '../experiments/index.ts';
import { OPTION_DEFAULTS } from './defaults.ts';
import { number, text, textOrNothing } from './readers.ts';
import { line, optionGroup } from './row.ts';

/** What is compared with what, and what is said of it. */
export const COMPARISON_OPTIONS = optionGroup('The comparison', 'analysis', {
  baseline: {
    argument: 'STACK',
    help: ({ baseline }) =>
      `the stack that the others are compared with (default ${baseline}, or the first where it is not measured)`,
    read: text,
    said: line(
      'Baseline',
      ({ arms, analysis: { baseline } }) =>
        arms.find(({ arm }) => arm === baseline)?.label ?? baseline,
    ),
  },
  margin: {
    argument: '%',
    help: 'two stacks are the same when the whole interval of their ratio lies within this many percent of 1',
    read: number([0.1, 50]),
    byDefault: OPTION_DEFAULTS.marginPercent,
    said: line('Margin of “same”', ({ analysis }) => `${analysis.marginPercent} %`),
  },
  metric: {
    argument: 'METRIC',
    help: ({ metrics }) => `what verdicts are about: ${metrics.join(', ')} (default ${metrics[0]})`,
    read: text,
    said: line('Verdicts about', (run) => verdictMetric(run).phrase),
  },
  control: {
    argument: '[STACK]',
    help: 'A/A test: measures one stack (without STACK the baseline) a second time under another label, which shows how often this machine finds differences that do not exist',
    read: textOrNothing,
    decides: 'plan',
    said: line(
      'Control',
      ({ arms }) =>
        arms.flatMap(({ label, controlOf }) => (controlOf === null ? [] : [label])).join(', ') ||
        'none',
    ),
  },
});
