import type { AskedNetwork, NetworkBackend } from '../records/network.ts';
import { MachineError, UsageError } from '../system/errors.ts';
import { withPathAgent } from './agent.ts';
import { netemAvailable, withNetemPath } from './netem/backend.ts';
import type { Path, PathOptions } from './path.ts';
import { withUserspacePath } from './userspace/backend.ts';

/** What --network-backend takes. */
export const BACKENDS = ['auto', 'netem', 'userspace'] as const;
export type BackendChoice = (typeof BACKENDS)[number];

/** What the path is chosen for. */
interface Choice {
  backend: BackendChoice;
  /** The conditions that it is to have; left out: such as every backend can make. */
  networks?: readonly AskedNetwork[];
}

/**
 * Makes the path between browser and servers, hands it on, and always removes it. `auto` prefers netem where that can do what the
 * conditions ask for.
 * @throws UsageError when netem was asked for and cannot; MachineError when this machine allows no namespaces, or has no netem and netem was asked for.
 */
export async function withNetwork<T>(
  options: PathOptions & Choice,
  use: (path: Path) => Promise<T>,
): Promise<T> {
  const { backend, networks = [], ...pathOptions } = options;
  const chosen = await chooseBackend({ backend, networks }, pathOptions);
  return chosen === 'netem' ? withNetemPath(pathOptions, use) : withUserspacePath(pathOptions, use);
}

/** What a condition asks for that netem cannot do; null: nothing. */
function beyondNetem({ name, event, lostPacket, trace, traceUp }: AskedNetwork): string | null {
  if (event !== undefined) {
    return `change ports or addresses in the middle of an attempt, as condition ${name} asks for (--event)`;
  }
  if (lostPacket !== undefined) {
    return `lose a packet by its number, as condition ${name} asks for (--lose)`;
  }
  return trace || traceUp ? `carry ${name} by a recorded link (--trace)` : null;
}

async function chooseBackend(
  { backend: asked, networks }: Required<Choice>,
  { python, signal }: PathOptions,
): Promise<NetworkBackend> {
  const [beyond] = networks.flatMap((network) => beyondNetem(network) ?? []);
  if (beyond !== undefined && asked === 'netem') {
    throw new UsageError(
      `--network-backend netem: it cannot ${beyond}. Use --network-backend userspace, or auto.`,
    );
  }
  if (beyond !== undefined || asked === 'userspace') return 'userspace';
  const available = await withPathAgent({ python, signal, namespaces: ['client'] }, netemAvailable);
  if (available === true) return 'netem';
  if (asked === 'auto') return 'userspace';
  throw new MachineError(
    `--network-backend netem: ${available}. Load the kernel module sch_netem, or use --network-backend userspace.`,
  );
}
