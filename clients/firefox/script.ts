import type { BidiSession } from './bidi.ts';

/** Where a script runs: a page, or Firefox's own window with all of the browser's rights. */
type ScriptTarget = { context: string; sandbox?: string };

/**
 * Evaluates an expression, and returns the value that it or its promise has, which must be JSON.
 * @throws Error for an exception, and when the context is gone
 */
export async function evaluate<Value>(
  session: BidiSession,
  target: ScriptTarget,
  expression: string,
): Promise<Value> {
  const answer = await session.send<EvaluateResult>('script.evaluate', {
    expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value) ?? 'null')`,
    target,
    awaitPromise: true,
    resultOwnership: 'none',
  });
  if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
  return JSON.parse(answer.result.value);
}

type EvaluateResult =
  | { type: 'success'; result: { value: string } }
  | { type: 'exception'; exceptionDetails: { text: string } };
