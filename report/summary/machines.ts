import type { InvocationRecord } from '../../ground/records/invocation.ts';
import { backendSchema, type NetworkBackend } from '../../ground/records/network.ts';
import { hostSchema, versionsSchema } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';

export const machineSchema = s.object(
  {
    machine: s.name("Unique in the run: the machine's name, with a number when it was changed."),
    invocations: s.list(s.name('Id of an invocation.'), 'Ids of its invocations.'),
    host: s.orNull(
      hostSchema,
      'The machine at the start; null: not known, it was read from a file.',
    ),
    versions: versionsSchema,
    backend: backendSchema,
  },
  'A machine that took part in a run, as it was: when its programs, its kernel or its path were changed between two invocations, it counts as another one, since loads before and after cannot be compared either.',
);

export type Machine = s.Static<typeof machineSchema>;

export function machinesOf(invocations: readonly InvocationRecord[]): Machine[] {
  const machines = new Map<string, Machine>();
  const timesNamed = new Map<string, number>();
  for (const invocation of invocations) {
    const { id, machine, host, versions, backend } = invocation;
    const key = stateKey(invocation);
    const known = machines.get(key);
    if (known) {
      known.invocations.push(id);
      continue;
    }
    const times = (timesNamed.get(machine) ?? 0) + 1;
    timesNamed.set(machine, times);
    const name = times === 1 ? machine : `${machine} (${times})`;
    machines.set(key, { machine: name, invocations: [id], host, versions, backend });
  }
  return [...machines.values()];
}

/** Which machine a load was made on, told from its invocation; null: not known. */
export function machineOfLoad(
  machines: readonly Pick<Machine, 'machine' | 'invocations'>[],
): (load: { invocation: string }) => string | null {
  const names = new Map(
    machines.flatMap(({ machine, invocations }) =>
      invocations.map((invocation) => [invocation, machine]),
    ),
  );
  return ({ invocation }) => names.get(invocation) ?? null;
}

/** Who made the paths of a run; `mixed`: not on all machines the same. */
export type BackendUsed = NetworkBackend | 'mixed';

export const backendUsedSchema = s.oneOf<BackendUsed>(
  ['netem', 'userspace', 'live', 'read', 'mixed'],
  'Who made the path; mixed: not the same on all machines.',
);

/** Who made the paths of all these machines; without any, what run.json has. */
export function backendUsed(
  run: { backend: NetworkBackend },
  machines: readonly Pick<Machine, 'backend'>[],
): BackendUsed {
  const [first = run.backend, ...others] = new Set(machines.map(({ backend }) => backend));
  return others.length > 0 ? 'mixed' : first;
}

/** The same for invocations of the same machine in the same state, and only then. Its load changes all the time. */
function stateKey({ machine, versions, backend, host }: InvocationRecord): string {
  const { loadAverage1m: _, ...lasting } = host ?? { loadAverage1m: null };
  return JSON.stringify([
    machine,
    backend,
    ...[lasting, versions].map((facts) =>
      Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ]);
}
