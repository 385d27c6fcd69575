import type { Experiment } from '../ground/experiment.ts';
import type { Trial } from '../ground/records/run.ts';

/** Describes a trial: subject, arm, network, factors that are not the default, and repetition. */
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
