import { BOUNDS } from '../records/ranges.ts';
import { OPTION_DEFAULTS } from './defaults.ts';
import { number, text, textOrNothing } from './readers.ts';
import { optionGroup, reportLine } from './row.ts';

/** Help of --baseline, by what it is where it is not given. */
export function baselineHelp(usual: string | null): string {
  return `the stack that all others are compared with (default: those over QUIC with their own twin over TCP, where it is measured, and others with ${usual}, or the first)`;
}

/** What is compared with what, and what is said of it. */
export const COMPARISON_OPTIONS = optionGroup('The comparison', 'analysis', {
  baseline: {
    argument: 'STACK',
    help: ({ baseline }) => baselineHelp(baseline),
    read: text,
    said: reportLine('Baseline', ({ arms, analysis: { baseline } }) => {
      const labelOf = (name: string) => arms.find(({ arm }) => arm === name)?.label ?? name;
      const others = arms.flatMap(({ label, comparedWith }) =>
        comparedWith === undefined ? [] : [`${labelOf(comparedWith)} for ${label}`],
      );
      return [labelOf(baseline), ...others].join('; ');
    }),
  },
  margin: {
    argument: '%',
    help: 'two stacks are the same when the whole interval of their ratio lies within this many percent of 1',
    read: number(BOUNDS.marginPercent),
    byDefault: OPTION_DEFAULTS.marginPercent,
    said: reportLine('Margin of “same”', ({ analysis }) => `${analysis.marginPercent} %`),
  },
  metric: {
    argument: 'METRIC',
    help: ({ metrics }) =>
      `what verdicts are about: ${metrics.join(', ')} (default ${metrics[0]}; complete with --event)`,
    read: text,
    said: reportLine(
      'Verdicts about',
      ({ analysis }, { metrics }) =>
        metrics.find(({ name }) => name === analysis.metric)?.phrase ?? analysis.metric,
    ),
  },
  control: {
    argument: '[STACK]',
    help: 'A/A test: measures one stack (without STACK the baseline) a second time under another label, which shows how often this machine finds differences that do not exist',
    read: textOrNothing,
    decides: 'plan',
    said: reportLine(
      'Control',
      ({ arms }) =>
        arms.flatMap(({ label, controlOf }) => (controlOf === null ? [] : [label])).join(', ') ||
        'none',
    ),
  },
});
