import { AttemptEnded, failed } from './checks.ts';
import type { Bench } from './measuring.ts';
import { clientFailure } from './trial.ts';

/** Named programs that are kept between attempts, so that no attempt contains their start. */
export class KeptPrograms<Program extends { close(): Promise<void> }> {
  readonly #starting = new Map<string, Promise<Program>>();
  readonly #running = new Set<Program>();

  get running(): readonly Program[] {
    return [...this.#running];
  }

  /** The program of this name, started at the first call. */
  async of(name: string, start: () => Program | Promise<Program>): Promise<Program> {
    const starting = this.#starting.get(name) ?? (async () => start())();
    this.#starting.set(name, starting);
    const program = await starting;
    this.#running.add(program);
    return program;
  }

  /** Ends a failed or busy program; the next attempt starts it again. */
  async forget(name: string): Promise<void> {
    const starting = this.#starting.get(name);
    this.#starting.delete(name);
    const program = await starting?.catch(() => null);
    if (!program) return;
    this.#running.delete(program);
    await program.close();
  }

  /** Forgets the program of a failed attempt and returns its failure. Throws an interruption. */
  async endedBy(name: string, error: Error, bench: Pick<Bench, 'signal'>): Promise<AttemptEnded> {
    await this.forget(name);
    return new AttemptEnded(failed(clientFailure(error, bench)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#starting.keys()].map((name) => this.forget(name)));
  }
}
