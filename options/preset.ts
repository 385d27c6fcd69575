import { UsageError } from '../system/errors.ts';
import type { RunValues } from './benchmark.ts';
import { didYouMean } from './nearest-name.ts';

/** Options with values of their own; what the user gives beside them has the last word. */
export type Preset = Partial<RunValues>;

/** Presets by their names; null: the name stands for a series of runs, each with a preset of its own. */
export type Presets = Readonly<Record<string, Preset | null>>;

/**
 * The options of one run that a preset stands for.
 * @throws UsageError with the presets that there are
 */
export function presetNamed(name: string, presets: Presets): Preset {
  const options = Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (options) return options;
  const names = Object.keys(presets);
  throw new UsageError(
    `--preset ${name}: expected one of ${names.join(', ')}.${didYouMean(name, names)}`,
  );
}
