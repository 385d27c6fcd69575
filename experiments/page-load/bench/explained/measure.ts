import path from 'node:path';
import type { ExplanationResult } from '../../../../report/explanation/schema.ts';
import { readRecords } from '../../../../report/summary/measured-run.ts';
import { withRun } from '../../../../runner/bench/attempts.ts';
import { pageLoad } from '../../experiment.ts';
import type { MadeCase } from './made-cases.ts';

/** Largest residual of a right division, as a share of the whole. */
const MOST_RESIDUAL = 0.25;

interface MadeResult {
  made: MadeCase;
  found: ExplanationResult | null;
  /** Whether each part's interval holds its true cost, and the residual is small. */
  isRight: boolean;
}

/** Divides the difference of a made case, as `npm run benchmark -- --explain` does. */
export async function explainMade(made: MadeCase, repetitions = 24): Promise<MadeResult> {
  const { stack, site, rttMs, settings } = made;
  const words = [
    ...['--sites', site, '--stacks', stack, '--baseline', `${stack}-changed`],
    ...['--rtt', String(rttMs), '--repetitions', String(repetitions)],
    ...['--explain', '--hars', 'none'],
  ];
  const found = await withRun(
    pageLoad,
    words,
    async (folder) =>
      (await readRecords(folder)).summariseWith({}).summary.explanations?.[0] ?? null,
    [path.join(import.meta.dirname, 'made-run.ts'), JSON.stringify(settings)],
  );
  return { made, found, isRight: found !== null && isRight(made, found) };
}

function isRight({ costsMs }: MadeCase, { whole, parts, residual }: ExplanationResult): boolean {
  if (!whole || !residual) return false;
  const holds = parts.every(({ name, part }) => {
    const costMs = costsMs[name] ?? 0;
    if (!part || part.low === null || part.high === null) return false;
    return part.low <= costMs && costMs <= part.high;
  });
  const isComplete = Object.keys(costsMs).every((name) => parts.some((each) => each.name === name));
  const isSmall = Math.abs(residual.estimate) <= MOST_RESIDUAL * Math.abs(whole.estimate);
  return holds && isComplete && isSmall;
}
