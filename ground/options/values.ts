import { UsageError } from '../system/exit-status.ts';
import type { OptionTable, RawOptions, Values } from './row.ts';

/**
 * Values of all options: from the user, else from the preset, else defaults.
 * @throws UsageError with the wrong value and the valid ones, or with conflicting options
 */
export function valuesOf<Table extends OptionTable>(
  table: Table,
  given: RawOptions,
  preset: RawOptions = {},
): Values<Table> {
  assertCompatible(table, given);
  const values = Object.entries(table).map(([name, { read, byDefault }]) => {
    const text = given[name] ?? preset[name];
    return [name, text === undefined ? (byDefault ?? null) : read(name, text)];
  });
  return Object.fromEntries(values);
}

/** Command line of these options. */
export function wordsOf(given: RawOptions): string[] {
  return Object.entries(given).flatMap(([name, text]) =>
    text ? [`--${name}`, text] : [`--${name}`],
  );
}

function assertCompatible(table: OptionTable, given: RawOptions): void {
  for (const [name, { conflicts = [], needs }] of Object.entries(table)) {
    if (given[name] === undefined) continue;
    const other = conflicts.find((each) => given[each] !== undefined);
    if (other !== undefined) {
      throw new UsageError(`--${name} and --${other} do not go together.`);
    }
    if (needs !== undefined && given[needs] === undefined) {
      throw new UsageError(
        `--${name} goes with ${[`--${needs}`, table[needs]?.argument ?? []].flat().join(' ')}.`,
      );
    }
  }
}
