import type { InvocationRecord } from '../../ground/records/invocation.ts';
import { backendSchema, type NetworkBackend } from '../../ground/records/network.ts';
import { revisionSchema } from '../../ground/records/revision.ts';
import { hostSchema, versionsSchema } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import { shardOfText } from '../../ground/records/shard.ts';
import { versionTexts } from '../../kit/text/versions.ts';

export const machineSchema = s.object(
  {
    machine: s.name("Unique in the run: the machine's name, with a number when it was changed."),
    invocations: s.list(s.name('Id of an invocation.'), 'Ids of its invocations.'),
    sittings: s.optional(
      s.map(
        s.text('Assigned part of the plan.'),
        'Parts by blocks that its invocations made, by their ids; absent: none.',
      ),
    ),
    host: s.orNull(
      hostSchema,
      'The machine at the start; null: not known, it was read from a file.',
    ),
    versions: versionsSchema,
    revision: s.optional(revisionSchema),
    backend: backendSchema,
  },
  'A machine that took part in a run, as it was: when its programs, its kernel or its path were changed between two invocations, it counts as another one, since loads before and after cannot be compared either.',
);

export type Machine = s.Static<typeof machineSchema>;

export function machinesOf(invocations: readonly InvocationRecord[]): Machine[] {
  const machines = new Map<string, Machine>();
  const timesNamed = new Map<string, number>();
  for (const invocation of invocations) {
    const { id, machine, part, host, versions, revision, backend } = invocation;
    const key = stateKey(invocation);
    // A part by blocks has every site, so that differences between such parts can be estimated.
    const sitting = part !== null && shardOfText(part)?.by === 'blocks' ? { [id]: part } : null;
    const known = machines.get(key);
    if (known) {
      known.invocations.push(id);
      if (sitting) known.sittings = { ...known.sittings, ...sitting };
      continue;
    }
    const times = (timesNamed.get(machine) ?? 0) + 1;
    timesNamed.set(machine, times);
    machines.set(key, {
      machine: times === 1 ? machine : `${machine} (${times})`,
      invocations: [id],
      ...(sitting && { sittings: sitting }),
      host,
      versions,
      revision,
      backend,
    });
  }
  return [...machines.values()];
}

/** Machine of a load, from its invocation; null: not known. */
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

/** Sitting of a load, from its invocation; empty: the run was not made in sittings. */
export function sittingOfLoad(
  machines: readonly Pick<Machine, 'sittings'>[],
): (load: { invocation: string }) => string {
  const sittings = new Map(machines.flatMap((each) => Object.entries(each.sittings ?? {})));
  return ({ invocation }) => sittings.get(invocation) ?? '';
}

/** Backends of a run; `mixed`: not the same on all machines. */
export type BackendUsed = NetworkBackend | 'mixed';

export const backendUsedSchema = s.oneOf<BackendUsed>(
  ['netem', 'userspace', 'live', 'read', 'mixed'],
  'Who made the path; mixed: not the same on all machines.',
);

/** Backends of these machines; without any, that of run.json. */
export function backendUsed(
  run: { backend: NetworkBackend },
  machines: readonly Pick<Machine, 'backend'>[],
): BackendUsed {
  const [first = run.backend, ...further] = new Set(machines.map(({ backend }) => backend));
  return further.length > 0 ? 'mixed' : first;
}

/** The same only for invocations of one machine in one state. Its load varies and is not part of it. */
function stateKey({ machine, backend, host, ...programs }: InvocationRecord): string {
  const { loadAverage1m: _, ...lasting } = host ?? { loadAverage1m: null };
  return JSON.stringify([
    machine,
    backend,
    ...[lasting, versionTexts(programs)].map((facts) =>
      Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ]);
}
