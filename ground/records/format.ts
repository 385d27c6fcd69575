import * as s from './schema.ts';

/**
 * Format of run.json and of the files with records; described in results/README.md. The major version changes
 * when a field changes its name or meaning, the minor one when a field is added.
 */
export const FORMAT_VERSION = 6;
export const FORMAT_MINOR = 3;

export const FORMAT = { formatVersion: FORMAT_VERSION, formatMinor: FORMAT_MINOR } as const;

export const formatFields = {
  formatVersion: s.constant(FORMAT_VERSION, 'The version of this format.'),
  formatMinor: s.count('Grows when fields are added.'),
};
