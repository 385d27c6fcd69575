import type { RunChoices } from '../../records/run.ts';
import { readOptions } from '../../runner/options.ts';

/** What a run without options chooses. */
export const CHOICES: RunChoices = { ...chosen(), pinned: null };

function chosen(): Omit<RunChoices, 'pinned'> {
  const options = readOptions([]);
  if (!options) throw new Error('no options');
  return options.choices;
}
