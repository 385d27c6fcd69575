import { setTimeout as sleep } from 'node:timers/promises';
import type { Choices } from '../fuzz-importers/random.ts';
import type { Wire } from './wire.ts';

/** Target of an attack. */
export interface Target {
  host: string;
  ip: string;
  port: number;
  protocol: 'h3' | 'h2' | 'http/1.1';
  /** Paths that the server knows: a small one and a large one. */
  paths: { small: string; large: string };
  /** Files whose contents no response may include. */
  secretFiles: string[];
}

/** Tools of an attack. */
export interface AttackContext {
  target: Target;
  choices: Choices;
  /** End time, by performance.now(). */
  untilMs: number;
  /** Every connection that the attack opens; they are closed after it. */
  wires: Set<Wire>;
  /** Called with every byte received; one watch for each connection. */
  newWatch: () => (bytes: Uint8Array) => void;
  /** Counts what was sent: requests, frames, connections or datagrams. */
  sent: (count?: number) => void;
}

/** One attack on a server for some seconds. */
export interface Attack {
  name: string;
  run: (context: AttackContext) => Promise<void>;
}

/** Whether an attack has time left. */
export function hasTime({ untilMs }: AttackContext): boolean {
  return performance.now() < untilMs;
}

/** Waits until the attack's time is over. */
export function timeLeft({ untilMs }: AttackContext): Promise<void> {
  return sleep(Math.max(0, untilMs - performance.now()), undefined, { ref: false });
}

/** Repeats an action, with this number in parallel, until the attack's time is over. */
export async function again(
  context: AttackContext,
  atOnce: number,
  once: () => Promise<void>,
): Promise<void> {
  const worker = async () => {
    while (hasTime(context)) {
      await once();
      // Yields, so that timers and responses do not wait.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
