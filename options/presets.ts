import { didYouMean } from './nearest-name.ts';
import { UsageError } from '../system/errors.ts';
import { LADDER } from '../studies/published-2018/ladder/steps.ts';
import type { Preset } from './preset.ts';
import { PUBLISHED } from '../studies/published-2018/preset.ts';

/** Name of a preset to the options that it stands for; each rung of the ladder is one. */
const PRESETS: Readonly<Record<string, Preset>> = {
  published: PUBLISHED,
  ...Object.fromEntries(LADDER.map(({ name, options }) => [`ladder/${name}`, options])),
};

/**
 * The options that a preset stands for.
 * @throws UsageError with the presets that there are.
 */
export function presetOptions(name: string): Preset {
  const options = Object.hasOwn(PRESETS, name) ? PRESETS[name] : undefined;
  if (options) return options;
  throw new UsageError(
    `--preset ${name}: expected published, ladder, or a rung of it: ${LADDER.map(({ name: rung }) => `ladder/${rung}`).join(', ')}.${didYouMean(name, [...Object.keys(PRESETS), 'ladder'])}`,
  );
}
