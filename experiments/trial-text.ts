import type { Experiment } from '../ground/experiment.ts';
import type { Trial } from '../ground/records/run.ts';

/** Describes a trial: subject, arm, network, factors that are not the default, and repetition. */
export function trialText(trial: Trial, { factors }: Pick<Experiment, 'factors'>): string {
  const { subject, arm, network } = trial;
  const special = Object.entries(trial.factors).filter(
    ([name, value]) => value !== Object.keys(factors[name] ?? {})[0],
  );
  return [
    `${subject} by ${arm}`,
    `network ${network.name}`,
    ...special.map(([name, value]) => `${value} ${name}`),
    repetitionText(trial),
  ].join(', ');
}

/** `repetition 3`, `warm-up` or `filmed load 2`. */
export function repetitionText({
  warmup,
  filmed,
  repetition,
}: Pick<Trial, 'warmup' | 'filmed' | 'repetition'>): string {
  if (filmed) return `filmed load ${repetition}`;
  return warmup ? 'warm-up' : `repetition ${repetition}`;
}
