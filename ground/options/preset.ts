import type { Experiment } from '../experiment.ts';
import { UsageError } from '../system/errors.ts';
import { shellWord } from '../system/shell-word.ts';
import { didYouMean } from './nearest-name.ts';
import type { RawOptions } from './row.ts';

/** Options of one experiment under a name. */
export interface Preset {
  /** Name of the experiment, whose command offers the preset. */
  of: string;
  /** Purpose, for the help; null: the help leaves the preset out. */
  about: string | null;
  /** As a command line gives them; options given as well override them. null: the name stands for a series of runs, each with a preset of its own. */
  options: RawOptions | null;
}

/** Presets by their names. */
export type Presets = Readonly<Record<string, Preset>>;

/**
 * The preset of that name, if it belongs to the experiment.
 * @param experiments those that this version has
 * @throws UsageError with the presets of the experiment, or with the command that has this one
 */
export function presetNamed(
  name: string,
  presets: Presets,
  experiment: Pick<Experiment, 'name'>,
  experiments: readonly Experiment[],
): Preset {
  const named = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (named?.of === experiment.name) return named;
  if (named) throw new UsageError(`--preset ${name}: ${remedyOf(name, named, experiments)}`);
  const own = Object.keys(presets).filter((each) => presets[each]?.of === experiment.name);
  throw new UsageError(
    own.length === 0
      ? `--preset ${name}: the experiment ${experiment.name} has no presets.`
      : `--preset ${name}: expected one of ${own.join(', ')}.${didYouMean(name, own)}`,
  );
}

function remedyOf(name: string, { of }: Preset, experiments: readonly Experiment[]): string {
  const command = experiments.find((each) => each.name === of)?.command;
  return command
    ? `this preset is of another command. Use npm run ${command.name} -- --preset ${shellWord(name)}.`
    : `this preset is of the experiment ${of}, which this version does not have.`;
}
