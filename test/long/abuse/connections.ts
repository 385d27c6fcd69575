import { type AttackContext, again, timeLeft } from './attack.ts';
import type { Wire } from './wire.ts';

/** Opens the connections of an attack; null: the server rejects this one. */
export type Dial = (context: AttackContext) => Promise<Wire | null>;

/** Longer than any server needs to read its input. */
export const SHORT_MS = 150;
/** More than the threads that any of the servers has. */
const SLOW_CLIENTS = 300;

/** One connection after the other, this number in parallel, each dropped after use. */
export function connections(
  context: AttackContext,
  atOnce: number,
  dial: Dial,
  use: (wire: Wire) => Promise<void>,
): Promise<void> {
  return again(context, atOnce, async () => {
    const wire = await dial(context);
    if (wire) await use(wire);
    wire?.drop();
  });
}

/** A connection for each piece, and a short wait for the response. Rejected ones count as well. */
export function oneEach(
  context: AttackContext,
  atOnce: number,
  dial: Dial,
  make: (context: AttackContext) => Uint8Array,
  waitMs: (context: AttackContext) => number = () => SHORT_MS,
): Promise<void> {
  return again(context, atOnce, async () => {
    const wire = await dial(context);
    await wire?.write(make(context));
    await wire?.ended(waitMs(context));
    wire?.drop();
    context.sent();
  });
}

/** Many slow clients at the same time, until time is over. */
export async function slow(
  context: AttackContext,
  dial: Dial,
  behave: (wire: Wire, context: AttackContext) => Promise<void>,
): Promise<void> {
  const clients = Array.from({ length: SLOW_CLIENTS }, async () => {
    const wire = await dial(context);
    if (!wire) return;
    context.sent();
    await behave(wire, context);
  });
  await Promise.all(clients);
  await timeLeft(context);
}
