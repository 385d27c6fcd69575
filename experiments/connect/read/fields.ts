import { UsageError } from '../../../ground/system/exit-status.ts';
import type { TableRow } from './table-file.ts';

/** Limit of a message: without a closing quote, a whole file is one field. */
const MOST_CHARACTERS_SHOWN = 120;

const YEAR_10000_UNIX_S = 253_402_300_800;

export type Fields<Column extends string> = ReturnType<typeof fieldsOf<Column>>;

/** Typed readers of a row's fields, whose errors name the line. null: the field is empty. */
export function fieldsOf<Column extends string>(file: string, { line, fields }: TableRow) {
  // C programs pad numbers with spaces.
  const text = (column: Column) => fields[column]?.trim() || null;
  const wrong = (column: Column, expected: string) => {
    const found = text(column);
    return new UsageError(
      `${file}, line ${line}: ${column} is ${found === null ? 'missing' : JSON.stringify(found.slice(0, MOST_CHARACTERS_SHOWN))}, expected ${expected}.`,
    );
  };
  const number = (column: Column) => {
    const found = text(column);
    if (found === null) return null;
    // Rejects hexadecimal digits, signs, and words such as Infinity.
    const isNumber = /^\d+(\.\d+)?$/.test(found) && Number.isFinite(Number(found));
    if (!isNumber) throw wrong(column, 'a number that is not negative');
    return Number(found);
  };
  const count = (column: Column) => {
    const found = number(column);
    if (found !== null && !Number.isSafeInteger(found)) throw wrong(column, 'a whole number');
    return found;
  };
  const needed = <Value>(column: Column, value: Value | null, expected: string): Value => {
    if (value === null) throw wrong(column, expected);
    return value;
  };
  return {
    text,
    number,
    count,
    unixS: (column: Column) => {
      const found = needed(column, count(column), 'Unix seconds');
      if (found >= YEAR_10000_UNIX_S) throw wrong(column, 'Unix seconds, not milliseconds');
      return found;
    },
    flag: (column: Column) => {
      const found = text(column);
      if (found === null) return null;
      if (found !== 'true' && found !== 'false') throw wrong(column, 'true or false');
      return found === 'true';
    },
    oneOf: <Word extends string>(column: Column, words: readonly Word[]) => {
      const found = text(column);
      if (found === null) return null;
      const word = words.find((each) => each === found);
      return needed(column, word ?? null, `one of ${words.join(', ')}`);
    },
    neededText: (column: Column) => needed(column, text(column), 'a text'),
    neededNumber: (column: Column) => needed(column, number(column), 'a number'),
    wrong,
    needed,
  };
}
