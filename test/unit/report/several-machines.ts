import { type Fixture, type FixtureOptions, fixtureRun } from './fixture-run.ts';

/**
 * A made-up run on two machines: `of` gives the one that made a load, 0 or 1; by default they
 * alternate by block.
 */
export function runOnTwoMachines(
  of: (load: Fixture['observations'][number]) => 0 | 1 = ({ block }) => (block % 2 === 0 ? 0 : 1),
  options: FixtureOptions = {},
): Fixture {
  const fixture = fixtureRun(options);
  const [first] = fixture.invocations;
  if (!first) throw new Error('the fixture has no invocation');
  const second: Fixture['invocations'][number] = {
    ...first,
    id: '2026-11-20T10-00-00Z-barn',
    machine: 'barn',
    host: { ...first.host, cpu: 'Another CPU @ 3.00GHz' },
  };
  const invocations = [first, second];
  for (const load of fixture.observations) load.invocation = invocations[of(load)]?.id ?? '';
  return { ...fixture, invocations };
}
