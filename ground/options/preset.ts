import { EXPERIMENTS } from '../../experiments/index.ts';
import type { Experiment } from '../experiment.ts';
import { UsageError } from '../system/errors.ts';
import { shellWord } from '../system/shell-word.ts';
import type { OptionGroup, ValuesOf } from './benchmark.ts';
import { didYouMean } from './nearest-name.ts';

/** Values of options that an experiment has; what the user gives beside them has the last word. */
export type PresetOptions<Group extends OptionGroup> = Partial<ValuesOf<Group>>;

interface PresetOf<Group extends OptionGroup> {
  /** Whose options they are; the command of that experiment offers the preset. */
  of: Group;
  /** What it is for, as the help has it behind its name; null: the help leaves it out. */
  about: string | null;
  /** null: the name stands for a series of runs, each with a preset of its own. */
  options: PresetOptions<Group> | null;
}

/** Options of one experiment under a name. */
export type Preset = { [Group in OptionGroup]: PresetOf<Group> }[OptionGroup];

/** Presets by their names. */
export type Presets = Readonly<Record<string, Preset>>;

/**
 * The preset of that name, if it is the experiment's.
 * @throws UsageError with the presets that the experiment has, or with the command that has this one
 */
export function presetNamed(
  name: string,
  presets: Presets,
  experiment: Pick<Experiment, 'name' | 'options'>,
): Preset {
  const named = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (named?.of === experiment.options && named) return named;
  if (named) {
    const command = commandOf(named);
    throw new UsageError(
      `--preset ${name}: this preset is of another command. Use npm run ${command} -- --preset ${shellWord(name)}.`,
    );
  }
  const own = Object.keys(presets).filter((each) => presets[each]?.of === experiment.options);
  throw new UsageError(
    own.length === 0
      ? `--preset ${name}: the experiment ${experiment.name} has no presets.`
      : `--preset ${name}: expected one of ${own.join(', ')}.${didYouMean(name, own)}`,
  );
}

function commandOf({ of }: Preset): string {
  const experiment = EXPERIMENTS.find(({ options }) => options === of);
  return experiment?.command?.name ?? of;
}
