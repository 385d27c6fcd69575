import type { ConnectDetails } from '../../../../ground/records/connection-attempt.ts';
import {
  type Fixture,
  type FixtureOptions,
  fixtureRun,
} from '../../../../test/unit/report/fixture-run.ts';
import { connect } from '../../experiment.ts';

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
    const details: ConnectDetails = {
      via: each.protocol === 'h3' ? 'quic' : 'tls1.3',
      host: each.subject,
      address: '10.89.1.2:443',
      lookupMs: null,
      client: 'bun',
      resumption: 'none',
      facts: null,
      error: null,
    };
    Object.assign(each, { experiment: connect.name, files: {}, details });
  }
  return fixture;
}
