import { connect } from '../../../experiments/connect/experiment.ts';
import { type Fixture, type FixtureOptions, fixtureRun } from './fixture-run.ts';

/** The fixture as a run of connections: the same stacks, networks and times. */
export function connectionRun(options: FixtureOptions = {}): Fixture {
  const fixture = fixtureRun(options);
  const { run } = fixture;
  Object.assign(run, { experiment: connect.name, recordFile: connect.recordFile, factors: {} });
  run.analysis.metric = 'maySendMs';
  for (const trial of run.trials) trial.factors = {};
  for (const each of fixture.observations) {
    const { pageLoadMs = null } = each.metrics;
    each.factors = {};
    each.metrics = { maySendMs: pageLoadMs };
    Object.assign(each, { experiment: connect.name, files: {}, details: null });
  }
  return fixture;
}
