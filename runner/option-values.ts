import { UsageError } from '../system/errors.ts';
import { didYouMean } from './nearest-name.ts';

/**
 * One of the words that an option takes.
 * @throws UsageError with the valid ones.
 */
export function readChoice<T extends string>(
  option: string,
  text: string,
  choices: readonly T[],
): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) {
    throw new UsageError(
      `--${option} ${text}: expected one of ${choices.join(', ')}.${didYouMean(text, choices)}`,
    );
  }
  return found;
}

/** Several of the words that an option takes, with commas between; each once, in the order given. */
export function readChoices<T extends string>(
  option: string,
  text: string,
  choices: readonly T[],
): T[] {
  return [...new Set(readList(option, text).map((word) => readChoice(option, word, choices)))];
}

/** A number of a range; null: the option was not given. */
export function readOptionalNumber(
  option: string,
  text: string | undefined,
  range: [number, number],
): number | null {
  return text === undefined ? null : readNumber(option, text, range);
}

/**
 * A number of a range.
 * @throws UsageError with the range.
 */
export function readNumber(
  option: string,
  text: string,
  [minimum, maximum]: [number, number],
): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(`--${option} ${text}: expected a number from ${minimum} to ${maximum}.`);
}

/** A whole number of a range; `otherwise` begins what was expected where a word may stand for it. */
export function readInteger(
  option: string,
  text: string | undefined,
  byDefault: number,
  [minimum, maximum]: [number, number],
  otherwise = '',
): number {
  if (text === undefined) return byDefault;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(
    `--${option} ${text}: expected ${otherwise}a whole number from ${minimum} to ${maximum}.`,
  );
}

/** Names with commas between. */
export function readList(option: string, text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.some((name) => name === '')) {
    throw new UsageError(
      `--${option} ${JSON.stringify(text)}: expected names with commas between.`,
    );
  }
  return names;
}
