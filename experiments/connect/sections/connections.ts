import { CLIENTS } from '../../../clients/index.ts';
import type { ConnectDetails } from '../../../ground/records/connection-attempt.ts';
import type { Observation } from '../../../ground/records/observation.ts';
import { median } from '../../../statistics/median.ts';
import type { RunView } from '../../run-view.ts';
import type { HandshakeKind } from '../handshake-round-trips.ts';

export type Connection = Observation<ConnectDetails>;

export type Condition = RunView['conditions'][number];

export function countedOf(
  { counted }: Pick<RunView, 'counted'>,
  { loads }: Pick<Condition, 'loads'>,
): Connection[] {
  return (loads as readonly Connection[]).filter(({ id }) => counted.has(id));
}

export function allCounted(view: Pick<RunView, 'counted' | 'conditions'>): Connection[] {
  return view.conditions.flatMap((condition) => countedOf(view, condition));
}

/** Kind of the handshakes of one arm and condition; null: no connection was begun. */
export function handshakeKindOf(connections: readonly Connection[]): HandshakeKind | null {
  const details = connections.find((each) => each.details !== null)?.details;
  if (!details) return null;
  const { via, resumption, client, facts } = details;
  // Imported tables may have clients of other programs.
  const known = CLIENTS.find(({ name }) => name === client);
  return {
    transport: via,
    resumption,
    startsEarly: known?.connect?.startsEarly ?? false,
    isGoogleQuic: facts?.quicVersion?.startsWith('Q') ?? false,
  };
}

export function hostMedians(
  connections: readonly Connection[],
  instant: string,
): Map<string, number> {
  const found = new Map<string, number[]>();
  for (const { subject, metrics } of connections) {
    const valueMs = metrics[instant] ?? null;
    if (valueMs === null) continue;
    const own = found.get(subject);
    if (own) own.push(valueMs);
    else found.set(subject, [valueMs]);
  }
  return new Map([...found].map(([host, valuesMs]) => [host, median(valuesMs) as number]));
}

export const FAMILIES = ['IPv4', 'IPv6'] as const;

export type Family = (typeof FAMILIES)[number];

/** null: no address was found. */
export function familyOf({ details }: Connection): Family | null {
  const { address = null } = details ?? {};
  if (address === null) return null;
  return address.startsWith('[') ? 'IPv6' : 'IPv4';
}

export function hostCount(connections: readonly Connection[]): number {
  return new Set(connections.map(({ subject }) => subject)).size;
}
