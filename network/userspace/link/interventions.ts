import type { Interventions, LinkDirection } from '../../agent.ts';
import type { compileLink } from './native.ts';

type Native = ReturnType<typeof compileLink>;

/** In the order of their numbers in C. */
const HANDSHAKES = [undefined, 'one round trip more', 'one round trip less'];

interface InterventionStart extends Interventions {
  toServer: Pick<LinkDirection, 'delayMs'>;
  keepsConnections: boolean;
}

/** Begins a load with other handshakes and windows of its connections. */
export function beginInterventions(
  native: Native,
  { handshake, countedWindowBytes = 0, ...load }: InterventionStart,
): void {
  const keeps = Number(load.keepsConnections);
  native.begin_handshakes(HANDSHAKES.indexOf(handshake), keeps);
  native.begin_windows(countedWindowBytes, Math.round(load.toServer.delayMs * 1e6), keeps);
}
