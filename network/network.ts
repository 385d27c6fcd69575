import { dimensionsOf } from '../ground/records/dimensions.ts';
import type { NetworkBackend, NetworkCondition } from '../ground/records/network.ts';
import type { PlannedArm } from '../ground/records/run.ts';
import { MachineError, UsageError } from '../ground/system/errors.ts';
import { withPathAgent } from './agent.ts';
import { type NamespaceProcess, withEndsCleared } from './namespace-processes.ts';
import { netemAvailable } from './netem/available.ts';
import { interventionsOf, type Path, type PathOptions } from './path.ts';

export const BACKENDS = ['auto', 'netem', 'userspace'] as const;
export type BackendChoice = (typeof BACKENDS)[number];

export interface NetworkOptions extends PathOptions {
  backend: BackendChoice;
  onEnded?: (ended: NamespaceProcess[]) => void;
}

/**
 * Makes the path between browser and servers, and always removes it with all processes at its ends. `auto` prefers netem.
 * @throws MachineError if this machine allows no namespaces, or lacks netem and netem was selected
 */
export async function withNetwork<T>(
  options: NetworkOptions,
  use: (path: Path) => Promise<T>,
): Promise<T> {
  const { backend, onEnded, ...pathOptions } = options;
  const chosen = await chooseBackend(backend, pathOptions);
  const withPath =
    chosen === 'netem'
      ? (await import('./netem/backend.ts')).withNetemPath<T>
      : (await import('./userspace/backend.ts')).withUserspacePath<T>;
  return withPath(pathOptions, (path) => withEndsCleared(path, { onEnded }, () => use(path)));
}

/** The part of a condition that netem cannot emulate; null: it can emulate all. */
function beyondNetem(network: NetworkCondition): string | null {
  const [first = null] = dimensionsOf(network).flatMap(
    ({ row, value }) => row.beyondNetem?.(value, network.name) ?? [],
  );
  return first;
}

type ArmOnPath = Pick<PlannedArm, 'arm' | 'settings'>;

/** Settings of an arm that netem cannot apply; null: netem can apply all. */
function armBeyondNetem({ arm, settings }: ArmOnPath): string | null {
  const isBeyond = Object.keys(interventionsOf(settings)).length > 0;
  return isBeyond ? `hold packets of connections, as arm ${arm} requires` : null;
}

/**
 * Backends that support all conditions and arms: `auto` becomes the user-space link if one of them needs it.
 * @throws UsageError if netem was selected and does not support a condition or an arm
 */
export function backendFor(
  networks: readonly NetworkCondition[],
  chosen: BackendChoice,
  arms: readonly ArmOnPath[] = [],
): BackendChoice {
  const [beyond] = [...networks.map(beyondNetem), ...arms.map(armBeyondNetem)].flatMap(
    (found) => found ?? [],
  );
  if (beyond === undefined) return chosen;
  if (chosen !== 'netem') return 'userspace';
  throw new UsageError(
    `--network-backend netem: it cannot ${beyond}. Use --network-backend userspace, or auto.`,
  );
}

async function chooseBackend(
  choice: BackendChoice,
  { python, signal }: PathOptions,
): Promise<NetworkBackend> {
  if (choice === 'userspace') return 'userspace';
  const available = await withPathAgent({ python, signal, namespaces: ['client'] }, netemAvailable);
  if (available === true) return 'netem';
  if (choice === 'auto') return 'userspace';
  throw new MachineError(
    `--network-backend netem: ${available}. Load the kernel module sch_netem, or use --network-backend userspace.`,
  );
}
