import { type Findings, findingsOfRun } from '../../../../report/findings/findings.ts';
import { outcomeOf } from '../../../../report/summary/fail-if.ts';
import { readFailRule } from '../../../../report/summary/fail-rule.ts';
import type { FixtureOptions } from '../fixture-run.ts';
import { fixtureSummary } from '../reported.ts';

/**
 * Findings of a rule in a made-up run of 8 repetitions, with this factor of lsquic's time over
 * Bun's.
 */
export function findingsFor(
  rule: string | null,
  factor: number,
  options: FixtureOptions = {},
): Findings {
  const summary = fixtureSummary({
    subjects: ['a.example', 'b.example'],
    repetitions: 8,
    ...options,
    change(load, details) {
      const { order, arm, metrics } = load;
      metrics.pageLoadMs = (100 + 2 * Math.sin(order)) * (arm === 'lsquic-h3' ? factor : 1);
      metrics.firstContentfulPaintMs = 50;
      metrics.largestContentfulPaintMs = 80;
      options.change?.(load, details);
    },
  });
  return findingsOfRun(
    summary,
    rule === null ? null : outcomeOf(readFailRule(rule), summary),
    '/results/run/report.html',
  );
}
