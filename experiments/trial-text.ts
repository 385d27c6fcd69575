import type { Experiment } from '../ground/experiment.ts';
import type { Trial } from '../ground/records/run.ts';

/** What a file of an attempt says it is of: subject, arm, network, factors that are not the usual, and which repetition. */
export function trialText(trial: Trial, { factors }: Pick<Experiment, 'factors'>): string {
  const { subject, arm, network, warmup, repetition } = trial;
  const special = Object.entries(trial.factors).filter(
    ([name, value]) => value !== Object.keys(factors[name] ?? {})[0],
  );
  return [
    `${subject} by ${arm}`,
    `network ${network.name}`,
    ...special.map(([name, value]) => `${value} ${name}`),
    warmup ? 'warm-up' : `repetition ${repetition}`,
  ].join(', ');
}
