import type { Experiment } from '../experiment.ts';
import { UsageError } from '../system/errors.ts';
import { shellWord } from '../system/shell-word.ts';
import type { RunValues } from './common.ts';
import { didYouMean } from './nearest-name.ts';

/** Values of options, the common ones and those of one experiment; what the user gives beside them has the last word. */
export type PresetOptions = Partial<RunValues> & Readonly<Record<string, unknown>>;

/** Options of one experiment under a name. */
export interface Preset {
  /** The experiment whose options they are; its command offers the preset. */
  of: string;
  /** What it is for, as the help has it behind its name; null: the help leaves it out. */
  about: string | null;
  /** null: the name stands for a series of runs, each with a preset of its own. */
  options: PresetOptions | null;
}

/** Presets by their names. */
export type Presets = Readonly<Record<string, Preset>>;

/**
 * The preset of that name, if it is the experiment's.
 * @param experiments those that this version has
 * @throws UsageError with the presets that the experiment has, or with the command that has this one
 */
export function presetNamed(
  name: string,
  presets: Presets,
  experiment: Pick<Experiment, 'name'>,
  experiments: readonly Experiment[],
): Preset {
  const named = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (named?.of === experiment.name) return named;
  if (named) {
    const owner = experiments.find((each) => each.name === named.of);
    throw new UsageError(
      `--preset ${name}: this preset is of another command. Use npm run ${owner?.command?.name ?? named.of} -- --preset ${shellWord(name)}.`,
    );
  }
  const own = Object.keys(presets).filter((each) => presets[each]?.of === experiment.name);
  throw new UsageError(
    own.length === 0
      ? `--preset ${name}: the experiment ${experiment.name} has no presets.`
      : `--preset ${name}: expected one of ${own.join(', ')}.${didYouMean(name, own)}`,
  );
}
