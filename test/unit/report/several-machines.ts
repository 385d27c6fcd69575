import type { SittingRecord } from '../../../records/sitting.ts';
import { type Fixture, type FixtureOptions, fixtureRun } from './fixture-run.ts';

/** A made-up run that was carried out on two machines: `of` says which one made a load, 0 or 1. */
export function runOnTwoMachines(
  of: (load: Fixture['pageLoads'][number]) => 0 | 1,
  options: FixtureOptions = {},
): Fixture {
  const fixture = fixtureRun(options);
  const [first] = fixture.sittings;
  if (!first) throw new Error('the fixture has no sitting');
  const second: SittingRecord = {
    ...first,
    id: '2026-11-20T10-00-00Z-barn',
    machine: 'barn',
    host: { ...first.host, cpu: 'Another CPU @ 3.00GHz' },
  };
  const sittings = [first, second];
  for (const load of fixture.pageLoads) load.sitting = sittings[of(load)]?.id ?? '';
  return { ...fixture, sittings };
}
