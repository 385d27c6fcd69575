import type { AskedNetwork, NetworkBackend } from '../records/network.ts';
import { MachineError, UsageError } from '../system/errors.ts';
import { withPathAgent } from './agent.ts';
import { netemAvailable, withNetemPath } from './netem/backend.ts';
import type { Path, PathOptions } from './path.ts';
import { withUserspacePath } from './userspace/backend.ts';

/** What --network-backend takes. */
export const BACKENDS = ['auto', 'netem', 'userspace'] as const;
export type BackendChoice = (typeof BACKENDS)[number];

/**
 * Who makes the path for some conditions.
 * @throws UsageError where netem is asked for what it cannot do
 */
export function backendFor(networks: readonly AskedNetwork[], asked: BackendChoice): BackendChoice {
  const recorded = networks.find(({ trace, traceUp }) => trace || traceUp);
  if (recorded === undefined) return asked;
  if (asked !== 'netem') return 'userspace';
  throw new UsageError(
    `--network-backend netem: it has rates alone, and cannot carry ${recorded.name} by a recorded link. Use --network-backend userspace, or --down KBIT in place of --trace.`,
  );
}

/**
 * Makes the path between browser and servers, hands it on, and always removes it. `auto` prefers netem.
 * @throws MachineError when this machine allows no namespaces, or has no netem and netem was asked for.
 */
export async function withNetwork<T>(
  options: PathOptions & { backend: BackendChoice },
  use: (path: Path) => Promise<T>,
): Promise<T> {
  const { backend, ...pathOptions } = options;
  const chosen = await chooseBackend(backend, pathOptions);
  return chosen === 'netem' ? withNetemPath(pathOptions, use) : withUserspacePath(pathOptions, use);
}

async function chooseBackend(
  asked: BackendChoice,
  { python, signal }: PathOptions,
): Promise<NetworkBackend> {
  if (asked === 'userspace') return 'userspace';
  const available = await withPathAgent({ python, signal, namespaces: ['client'] }, netemAvailable);
  if (available === true) return 'netem';
  if (asked === 'auto') return 'userspace';
  throw new MachineError(
    `--network-backend netem: ${available}. Load the kernel module sch_netem, or use --network-backend userspace.`,
  );
}
