import { UsageError } from '../errors.ts';
import { PUBLISHED } from './published.ts';

/** Name of a preset to the options that it stands for. */
const PRESETS: Readonly<Record<string, readonly string[]>> = { published: PUBLISHED };

/**
 * The options that a preset stands for.
 * @throws UsageError with the presets that there are.
 */
export function presetOptions(name: string): readonly string[] {
  const options = PRESETS[name];
  if (options) return options;
  throw new UsageError(`--preset ${name}: expected one of ${Object.keys(PRESETS).join(', ')}.`);
}
