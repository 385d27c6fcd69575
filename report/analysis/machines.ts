import type { NetworkBackend } from '../../records/network.ts';
import type { SittingRecord } from '../../records/sitting.ts';

/**
 * A machine that took part in a run, as it was: when its programs, its kernel or its path were changed between two
 * sittings, it counts as another one, since loads before and after cannot be compared either.
 */
export interface Machine extends Pick<SittingRecord, 'host' | 'versions' | 'backend'> {
  /** Unique in the run: the machine's name, with a number when it was changed. */
  machine: string;
  /** Ids of its sittings. */
  sittings: string[];
}

/** The machines of a run in the order in which they came. */
export function machinesOf(sittings: readonly SittingRecord[]): Machine[] {
  const machines = new Map<string, Machine>();
  const timesNamed = new Map<string, number>();
  for (const sitting of sittings) {
    const { id, machine, host, versions, backend } = sitting;
    const key = stateKey(sitting);
    const known = machines.get(key);
    if (known) {
      known.sittings.push(id);
      continue;
    }
    const times = (timesNamed.get(machine) ?? 0) + 1;
    timesNamed.set(machine, times);
    const name = times === 1 ? machine : `${machine} (${times})`;
    machines.set(key, { machine: name, sittings: [id], host, versions, backend });
  }
  return [...machines.values()];
}

/** Which machine a load was made on, told from its sitting; null: not known. */
export function machineOfLoad(
  machines: readonly Pick<Machine, 'machine' | 'sittings'>[],
): (load: { sitting: string }) => string | null {
  const names = new Map(
    machines.flatMap(({ machine, sittings }) => sittings.map((sitting) => [sitting, machine])),
  );
  return ({ sitting }) => names.get(sitting) ?? null;
}

/** Who made the paths of a run; `mixed`: not on all machines the same. */
export type BackendUsed = NetworkBackend | 'mixed';

/** Who made the paths of all these machines; without any, what run.json has. */
export function backendUsed(
  run: { backend: NetworkBackend },
  machines: readonly Pick<Machine, 'backend'>[],
): BackendUsed {
  const [first = run.backend, ...others] = new Set(machines.map(({ backend }) => backend));
  return others.length > 0 ? 'mixed' : first;
}

/** The same for sittings of the same machine in the same state, and only then. Its load changes all the time. */
function stateKey({ machine, versions, backend, host }: SittingRecord): string {
  const { loadAverage1m: _, ...lasting } = host;
  return JSON.stringify([
    machine,
    backend,
    ...[lasting, versions].map((facts) =>
      Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ]);
}
