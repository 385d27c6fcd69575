import { failureOf } from '../../clients/connection-failure.ts';
import type { ProbeFailure, Question } from '../../ground/records/probe.ts';

/** Runs the questions to one host, and collects their failures. */
export class Questioner {
  readonly failures: ProbeFailure[] = [];
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** null: failed. */
  async answer<T>(question: Question, request: () => Promise<T>): Promise<T | null> {
    try {
      return await request();
    } catch (error) {
      this.#keep(question, error);
      return null;
    }
  }

  /** Whether it succeeded; null: this client could not try. */
  async succeeds(question: Question, request: () => Promise<unknown>): Promise<boolean | null> {
    try {
      await request();
      return true;
    } catch (error) {
      return this.#keep(question, error) === 'client' ? null : false;
    }
  }

  /** Records a skipped question. */
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
