import {
  type Fixture,
  type FixtureOptions,
  fixtureRun,
} from '../../../test/unit/report/fixture-run.ts';

/** A made-up run of the preset whose report stands beside the published numbers. */
export function runLikePublished(options: FixtureOptions = {}): Fixture {
  const fixture = fixtureRun(options);
  fixture.run.preset = 'published';
  return fixture;
}
