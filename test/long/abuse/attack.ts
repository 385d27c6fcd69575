import { setTimeout as sleep } from 'node:timers/promises';
import type { Choices } from '../fuzz-importers/random.ts';
import type { Wire } from './wire.ts';

/** Whom to attack. */
export interface Target {
  host: string;
  ip: string;
  port: number;
  protocol: 'h3' | 'h2' | 'http/1.1';
  /** Paths that the server knows: a small one and a large one. */
  paths: { small: string; large: string };
  /** Files that no answer may hold anything of. */
  secretFiles: string[];
}

/** What an attack works with. */
export interface AttackContext {
  target: Target;
  choices: Choices;
  /** When it is to be over, as performance.now() counts. */
  untilMs: number;
  /** Every connection that the attack opens; they are closed after it. */
  wires: Set<Wire>;
  /** To be called with every byte received; one watch for each connection. */
  newWatch: () => (bytes: Uint8Array) => void;
  /** Counts what was sent: requests, frames, connections or datagrams. */
  sent: (count?: number) => void;
}

/** One way to be unpleasant to a server for some seconds. */
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

/** Does something again and again, so many at the same time, until the attack's time is over. */
export async function again(
  context: AttackContext,
  atOnce: number,
  once: () => Promise<void>,
): Promise<void> {
  const worker = async () => {
    while (hasTime(context)) {
      await once();
      // Never so busy that timers and answers wait.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
