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

/** What a condition asks for that netem cannot do; null: nothing. */
function beyondNetem({ name, event, lostPacket, trace, traceUp }: AskedNetwork): string | null {
  if (event !== undefined) {
    const does = event.kind === 'cut' ? 'cut the path' : 'change ports or addresses';
    return `${does} in the middle of an attempt, as condition ${name} asks for (--event)`;
  }
  if (lostPacket !== undefined) {
    return `lose a packet by its number, as condition ${name} asks for (--lose)`;
  }
  return trace || traceUp ? `carry ${name} by a recorded link (--trace)` : null;
}

/**
 * What is left to choose from for some conditions: `auto` is the user-space link where one of them needs it.
 * @throws UsageError where netem is asked for what it cannot do
 */
export function backendFor(networks: readonly AskedNetwork[], asked: BackendChoice): BackendChoice {
  const [beyond] = networks.flatMap((network) => beyondNetem(network) ?? []);
  if (beyond === undefined) return asked;
  if (asked !== 'netem') return 'userspace';
  throw new UsageError(
    `--network-backend netem: it cannot ${beyond}. Use --network-backend userspace, or auto.`,
  );
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
