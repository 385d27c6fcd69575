import type { Experiment } from '../experiment.ts';
import { UsageError } from '../system/errors.ts';
import { shellWord } from '../system/shell-word.ts';
import { didYouMean } from './nearest-name.ts';
import type { RawOptions } from './row.ts';

/** Named options of one experiment. */
export interface Preset {
  /** Name of the experiment with the preset. */
  of: string;
  /** Purpose, for the help; null: not listed. */
  about: string | null;
  /** As on a command line; explicit options override them. null: the name of a series of runs, each with its own preset. */
  options: RawOptions | null;
}

export type Presets = Readonly<Record<string, Preset>>;

/**
 * The preset of that name, if it belongs to the experiment.
 * @param experiments those in this version
 * @throws UsageError with the presets of the experiment, or with the command of the preset
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
    ? `this preset belongs to another command. Use npm run ${command.name} -- --preset ${shellWord(name)}.`
    : `this preset belongs to the experiment ${of}, which this version does not have.`;
}
