import { setTimeout as sleep } from 'node:timers/promises';
import type { Choices } from '../fuzz-importers/random.ts';
import type { Follower } from './follower.ts';
import type { FaultKind, FaultTarget } from './kinds.ts';

/** How often one kind of fault was injected, and the results. */
export interface FaultTally {
  kind: FaultKind;
  /** It was injected, and a load reported it with a fitting code. */
  met: number;
  /** It was injected, and no load was in progress. */
  missed: number;
  /** Codes of all loads that were not ok until recovery, with their numbers. */
  codes: Map<string, number>;
}

/** A fault that missed this number of loads is over. */
const LOADS_TO_MEET = 4;
/** A fault between two loads affects neither. */
const MAX_ATTEMPTS = 15;
/** Longest delay from a request to the fault. */
const MAX_DELAY_MS = 60;

/** Injects a fault into a run during a load, repeatedly until it affects one. */
export async function injectFault(
  strikes: FaultTally,
  { follower, victim, choices }: { follower: Follower; victim: FaultTarget; choices: Choices },
): Promise<void> {
  const { kind } = strikes;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (!(await follower.request())) throw new Error(`${kind.name}: the run ended too early`);
    await sleep(choices.number(MAX_DELAY_MS));
    const before = follower.loads.length;
    const heal = await kind.inject(victim);
    if (heal === null) continue;
    try {
      if (await isMet(kind, follower, before)) {
        strikes.met++;
        return;
      }
    } finally {
      await heal();
      count(strikes, follower, before);
    }
    strikes.missed++;
  }
  throw new Error(`${kind.name}: no load met it in ${MAX_ATTEMPTS} attempts`);
}

async function isMet(kind: FaultKind, follower: Follower, from: number): Promise<boolean> {
  for (let at = from; at < from + LOADS_TO_MEET; at++) {
    const load = await follower.load(at);
    if (load === null) return false;
    if (load.code !== null && kind.codes.includes(load.code)) return true;
  }
  return false;
}

function count({ codes }: FaultTally, { loads }: Follower, from: number): void {
  for (const { outcome, code } of loads.slice(from)) {
    if (outcome === 'ok') continue;
    const what = `${outcome}, ${code}`;
    codes.set(what, (codes.get(what) ?? 0) + 1);
  }
}

/** All results, as a table in Markdown. */
export function faultsTable(all: readonly FaultTally[]): string {
  const rows = all.map(({ kind, met, missed, codes }) => [
    kind.name,
    kind.how,
    `${met}`,
    `${missed}`,
    [...codes].map(([what, times]) => `${what}: ${times}`).join('; '),
  ]);
  const header = ['fault', 'how it is made', 'met', 'missed', 'rows'];
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
