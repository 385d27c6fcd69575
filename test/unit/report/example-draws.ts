import { drawnKbps, example } from '../../../experiments/example/experiment.ts';
import { type Fixture, type FixtureOptions, fixtureRun } from './fixture-run.ts';

/**
 * The fixture as a run of the example, one of whose metrics is the inverse of the other: the same
 * arms, networks and times.
 */
export function exampleDraws(
  metric: 'drawnMs' | 'drawnKbps',
  { change, ...options }: FixtureOptions = {},
): Fixture {
  const fixture = fixtureRun({ ...options, ...(change && { change }) });
  const { run } = fixture;
  Object.assign(run, { experiment: example.name, recordFile: example.recordFile, factors: {} });
  run.analysis.metric = metric;
  for (const trial of run.trials) trial.factors = {};
  for (const each of fixture.observations) {
    const { pageLoadMs = null } = each.metrics;
    each.factors = {};
    each.metrics =
      pageLoadMs === null
        ? { drawnMs: null, drawnKbps: null }
        : { drawnMs: pageLoadMs, drawnKbps: drawnKbps(pageLoadMs) };
    Object.assign(each, { experiment: example.name, files: {}, details: { drawn: 0.5 } });
  }
  return fixture;
}
