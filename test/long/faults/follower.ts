import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '../../../ground/records/observation.ts';
import type { Command } from '../../e2e/command.ts';

/** A load that has ended, as `--progress jsonl` reports it. */
export interface EndedLoad {
  event: 'attempt-ended';
  id: string;
  outcome: Outcome;
  code: string | null;
  message: string | null;
  warmup: boolean;
}

/** Follows a run by its progress events and the logs of its servers. */
export class Follower {
  readonly loads: EndedLoad[] = [];
  readonly #command: Command;
  readonly #logs: string;
  #wake = Promise.withResolvers<void>();
  #ended = false;

  constructor(command: Command, out: string) {
    this.#command = command;
    this.#logs = path.join(out, 'logs');
    const { stdout } = command.child;
    if (!stdout) throw new Error('a run without stdout');
    createInterface(stdout).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const said = JSON.parse(line);
      if (said.event !== 'attempt-ended') return;
      this.loads.push(said);
      this.#report();
    });
    command.ended.then(() => {
      this.#ended = true;
      this.#report();
    });
  }

  /** The load that ended as number `index` (from 0); null: the run ended with fewer. */
  async load(index: number, limitMs = 180_000): Promise<EndedLoad | null> {
    const late = performance.now() + limitMs;
    while (this.loads[index] === undefined) {
      if (this.#ended) return null;
      if (performance.now() > late)
        throw new Error(
          `no load ended in ${limitMs / 1000} s:\n${this.#command.output().slice(-3000)}`,
        );
      await Promise.race([this.#wake.promise, sleep(1000)]);
    }
    return this.loads[index] ?? null;
  }

  /** Number of planned loads that have ended, without warm-ups of restarted servers. */
  get plannedLoads(): number {
    return this.loads.filter(({ id }) => !id.includes('@')).length;
  }

  /**
   * Resolves when this number of loads in a row was ok, with the number of loads it took; null at
   * the end of the run.
   */
  async okInRow(count: number): Promise<number | null> {
    const begin = this.loads.length;
    for (let at = begin, inRow = 0; inRow < count; at++) {
      const load = await this.load(at);
      if (load === null) return null;
      inRow = load.outcome === 'ok' ? inRow + 1 : 0;
    }
    return this.loads.length - begin;
  }

  /**
   * Resolves when a server has just received a request, so that a load is in progress; false: the
   * run is over.
   */
  async request(): Promise<boolean> {
    const before = this.#requests();
    while (!this.#ended) {
      await sleep(5);
      if (this.#requests() > before) return true;
    }
    return false;
  }

  #requests(): number {
    const logs = readdirSync(this.#logs).map((name) =>
      readFileSync(path.join(this.#logs, name), 'utf8'),
    );
    return logs.reduce((sum, text) => sum + text.split('"method"').length, 0);
  }

  #report(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}
