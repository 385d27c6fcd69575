import { failureOf } from '../../clients/connection-failure.ts';
import type { ProbeFailure, Question } from '../../ground/records/probe.ts';

/** Asks one host one thing after another, and keeps why questions had no answer. */
export class Questioner {
  readonly failures: ProbeFailure[] = [];
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** The answer; null: there was none. */
  async answer<T>(question: Question, ask: () => Promise<T>): Promise<T | null> {
    try {
      return await ask();
    } catch (error) {
      this.#keep(question, error);
      return null;
    }
  }

  /** Whether it came about without a failure; null: this client could not ask. */
  async succeeds(question: Question, ask: () => Promise<unknown>): Promise<boolean | null> {
    try {
      await ask();
      return true;
    } catch (error) {
      return this.#keep(question, error) === 'client' ? null : false;
    }
  }

  /** Keeps that a question was left out. */
  skip(question: Question, reason: string): null {
    this.failures.push({ question, layer: 'client', code: 'not-tried', reason });
    return null;
  }

  #keep(question: Question, error: unknown): ProbeFailure['layer'] {
    this.#signal.throwIfAborted();
    const { layer, code, reason } = failureOf(error, 'client');
    this.failures.push({ question, layer, code, reason });
    return layer;
  }
}
