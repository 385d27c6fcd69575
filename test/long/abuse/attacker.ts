// Run by Node, against HTTP/3 by Bun: attacks one server until time is over, or until its stdin
// closes because its parent is gone. Reads a task as a line of JSON from stdin, prints reports as
// lines of JSON.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Choices, choicesOf } from '../fuzz-importers/random.ts';
import type { Attack, Target } from './attack.ts';
import { watchFor } from './secrets.ts';
import type { Wire } from './wire.ts';

/** Task of an attacker. */
export interface AttackerTask {
  target: Target;
  /** Texts that no response may contain. */
  secrets: string[];
  seed: number;
  /** Part of the names of the selected attacks; absent: all. */
  only?: string;
  /** Number of the first round with this seed. */
  firstRound: number;
  /** Number of the round at which it stops. */
  endRound: number;
  durationMs: number;
  /** Duration of each attack. */
  attackMs: number;
}

/** Rounds of an attacker, and leaked texts. */
export type AttackerReport =
  | { planned: string[] }
  | { attack: string; round: number; begins: true }
  | { attack: string; round: number; sent: number; received: number }
  | { attack: string; leaked: string };

/** Closed connections may take a moment. */
const PAUSE_MS = 200;

if (import.meta.main) {
  // A server's defence against a client is no error of the client's.
  process.on('uncaughtException', (error) => console.error(`attacker: ${error}`));
  process.on('unhandledRejection', (error) => console.error(`attacker: ${error}`));
  const lines = createInterface(process.stdin);
  lines.on('close', () => process.exit(0));
  const [line] = await once(lines, 'line');
  await main(JSON.parse(line) as AttackerTask);
  process.exit(0);
}

async function main(task: AttackerTask): Promise<void> {
  const all = await attacksOn(task.target.protocol);
  const attacks = all.filter(({ name }) => name.includes(task.only ?? ''));
  report({ planned: attacks.map(({ name }) => name) });
  const endMs = performance.now() + task.durationMs;
  for (let round = task.firstRound; round < task.endRound; round++) {
    if (performance.now() >= endMs) break;
    const choices = choicesOf(task.seed, round);
    for (const attack of shuffled(choices, attacks)) {
      const untilMs = Math.min(endMs, performance.now() + task.attackMs);
      if (performance.now() < endMs) await carryOut(attack, round, untilMs, task, choices);
    }
  }
}

async function carryOut(
  attack: Attack,
  round: number,
  untilMs: number,
  { target, secrets }: AttackerTask,
  choices: Choices,
): Promise<void> {
  report({ attack: attack.name, round, begins: true });
  const wires = new Set<Wire>();
  let sent = 0;
  let received = 0;
  const newWatch = () => {
    const watch = watchFor(secrets, (leaked) => report({ attack: attack.name, leaked }));
    return (bytes: Uint8Array) => {
      received += bytes.length;
      watch(bytes);
    };
  };
  const count = (more = 1) => {
    sent += more;
  };
  // A waiting attack does not delay the next one.
  await Promise.race([
    attack.run({ target, choices, untilMs, wires, newWatch, sent: count }),
    sleep(untilMs - performance.now() + 2000),
  ]);
  for (const wire of wires) wire.drop();
  report({ attack: attack.name, round, sent, received });
  await sleep(PAUSE_MS);
}

async function attacksOn(protocol: Target['protocol']): Promise<readonly Attack[]> {
  if (protocol === 'h3') {
    const [udp, http3] = [await import('./attacks/quic.ts'), await import('./attacks/http3.ts')];
    return [...udp.QUIC_ATTACKS, ...http3.HTTP3_ATTACKS];
  }
  const { TLS_ATTACKS } = await import('./attacks/tls.ts');
  if (protocol === 'h2')
    return [...TLS_ATTACKS, ...(await import('./attacks/http2.ts')).HTTP2_ATTACKS];
  return [...TLS_ATTACKS, ...(await import('./attacks/http1.ts')).HTTP1_ATTACKS];
}

function shuffled<T>(choices: Choices, list: readonly T[]): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(choices.number(rest.length), 1)[0] as T);
}

function report(line: AttackerReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
