import { BOUNDS } from '../records/ranges.ts';
import { OPTION_DEFAULTS } from './defaults.ts';
import { number, shares, text, textOrNothing } from './readers.ts';
import { optionGroup, reportLine } from './row.ts';

/** Help of --baseline, with its default. */
export function baselineHelp(usual: string | null): string {
  return `stack with which each stack is compared; of one version or own server among several, each protocol with its own there (default: for stacks over QUIC their twin over TCP, where it is measured; otherwise ${usual}, or the first stack)`;
}

export const COMPARISON_OPTIONS = optionGroup('The comparison', 'analysis', {
  baseline: {
    argument: 'STACK',
    help: ({ baseline }) => baselineHelp(baseline),
    read: text,
    lines: reportLine('Baseline', ({ arms, analysis: { baseline } }) => {
      const labelOf = (name: string) => arms.find(({ arm }) => arm === name)?.label ?? name;
      const twins = arms.flatMap(({ label, comparedWith }) =>
        comparedWith === undefined ? [] : [`${labelOf(comparedWith)} for ${label}`],
      );
      return [labelOf(baseline), ...twins].join('; ');
    }),
  },
  margin: {
    argument: '%',
    help: 'two stacks are the same when the whole interval of their ratio lies within this percentage of 1',
    read: number(BOUNDS.marginPercent),
    byDefault: OPTION_DEFAULTS.marginPercent,
    lines: reportLine('Margin of “same”', ({ analysis }) => `${analysis.marginPercent} %`),
  },
  metric: {
    argument: 'METRIC',
    help: ({ metrics }) =>
      `primary metric: ${metrics.join(', ')} (default ${metrics[0]}; complete with --event)`,
    read: text,
    lines: reportLine(
      'Verdicts about',
      ({ analysis }, { metrics }) =>
        metrics.find(({ name }) => name === analysis.metric)?.phrase ?? analysis.metric,
    ),
  },
  mix: {
    argument: 'a=%,b=%',
    help: 'shares of your visits on each network, in percent: adds one weighted answer. Without --network and numbers, its networks are measured',
    read: shares,
    lines: ({ analysis: { mix } }) =>
      mix
        ? [
            [
              'Mix of networks',
              Object.entries(mix)
                .map(([name, share]) => `${name} ${share} %`)
                .join(', '),
            ],
          ]
        : [],
  },
  control: {
    argument: '[STACK]',
    help: 'A/A test: measures one stack (default: the baseline) a second time under another label, which shows how often this machine finds differences that do not exist',
    read: textOrNothing,
    decides: 'plan',
    lines: reportLine(
      'Control',
      ({ arms }) =>
        arms.flatMap(({ label, controlOf }) => (controlOf === null ? [] : [label])).join(', ') ||
        'none',
    ),
  },
});
