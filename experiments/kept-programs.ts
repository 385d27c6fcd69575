import { AttemptEnded, failed } from './checks.ts';
import type { Bench } from './measuring.ts';
import { clientFailure } from './trial.ts';

/** Programs that are kept between attempts, each by a name, so that their own start is in no attempt. */
export class KeptPrograms<Program extends { close(): Promise<void> }> {
  readonly #starting = new Map<string, Promise<Program>>();
  readonly #running = new Set<Program>();

  get running(): readonly Program[] {
    return [...this.#running];
  }

  /** The program of this name, which is started the first time. */
  async of(name: string, start: () => Program | Promise<Program>): Promise<Program> {
    const starting = this.#starting.get(name) ?? (async () => start())();
    this.#starting.set(name, starting);
    const program = await starting;
    this.#running.add(program);
    return program;
  }

  /** Ends a program that broke, or is still busy: the next attempt starts it again. */
  async forget(name: string): Promise<void> {
    const starting = this.#starting.get(name);
    this.#starting.delete(name);
    const program = await starting?.catch(() => null);
    if (!program) return;
    this.#running.delete(program);
    await program.close();
  }

  /** Forgets the program of an attempt that broke, and says what broke. Throws an interruption. */
  async endedBy(name: string, error: Error, bench: Pick<Bench, 'signal'>): Promise<AttemptEnded> {
    await this.forget(name);
    return new AttemptEnded(failed(clientFailure(error, bench)));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#starting.keys()].map((name) => this.forget(name)));
  }
}
