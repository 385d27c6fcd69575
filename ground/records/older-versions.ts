import type { Protocol } from './protocol.ts';
import { usualVia } from './via.ts';

/** Until format 5.3 a record of a connection had no transport and no client: all were full handshakes by Bun. */
export function upgraded(record: unknown): unknown {
  if (!(record instanceof Object)) return record;
  const { experiment, protocol, details } = record as Record<string, unknown>;
  if (experiment !== 'connect' || !(details instanceof Object) || 'via' in details) return record;
  const added = { lookupMs: null, client: 'bun', resumption: 'none', facts: null, error: null };
  return { ...record, details: { via: usualVia(protocol as Protocol), ...added, ...details } };
}
