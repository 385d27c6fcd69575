import { BOUNDS, type Bounds } from '../records/ranges.ts';
import { UsageError } from '../system/exit-status.ts';
import { didYouMean } from './nearest-name.ts';
import type { Reader } from './row.ts';

const present: Reader<boolean> = () => true;

/** Reader of an option without a value. */
export const FLAG = { argument: null, read: present, byDefault: false } as const;

/** Any text that is not empty. */
export const text: Reader<string> = (option, given) => {
  if (given !== '') return given;
  throw new UsageError(`--${option} "": expected a value.`);
};

/** Any text; empty: no value. */
export const textOrNothing: Reader<string> = (_, given) => given;

/** A server of the user. */
export interface NamedServer {
  /** Begins the names of its stacks. */
  name: string;
  /** File of a program, or the address of a running server. */
  server: string;
}

/** Name of the user's server that has no other. */
const UNNAMED = 'own';

/** Lines of `NAME=PROGRAM`, `NAME=https://HOST:PORT`, or either without the name. A name has no slash, which files may have. */
export const namedServers: Reader<NamedServer[]> = (option, given) => {
  const servers = given.split('\n').map((line) => {
    const [, name = UNNAMED, server = ''] = /^(?:([^/=]*)=)?(.*)$/.exec(line) ?? [];
    if (name !== '' && server !== '') return { name, server };
    throw new UsageError(
      `--${option} ${JSON.stringify(line)}: expected PROGRAM or NAME=PROGRAM, for example old=./a.`,
    );
  });
  const twice = servers.find(
    ({ name }, at) => servers.findIndex((each) => each.name === name) < at,
  );
  if (twice === undefined) return servers;
  const alike = servers.flatMap(({ name, server }) => (name === twice.name ? [server] : []));
  const example = alike.map((server, index) => `--${option} NAME${index + 1}=${server}`).join(' ');
  throw new UsageError(
    `--${option}: ${alike.join(' and ')} have the same name, ${twice.name}. Give each its own: ${example}.`,
  );
};

/** A browser of `--browser`. */
export interface NamedBrowser {
  name: string;
  /** File of its binary; null: the name says which. */
  program: string | null;
}

/** `NAME` or `NAME@PATH`, separated by commas. */
export const namedBrowsers: Reader<NamedBrowser[]> = (option, given) => {
  const browsers = names(option, given).map((word) => {
    const [, name = '', program = null] =
      /^([a-z](?:-?[a-z0-9]){0,19})(?:@(.+))?$/.exec(word) ?? [];
    if (name !== '' && name.length <= LONGEST_BROWSER) return { name, program };
    throw new UsageError(
      `--${option} ${JSON.stringify(word)}: expected chromium, firefox or NAME@PATH, with a NAME of at most ${LONGEST_BROWSER} small letters, digits and single hyphens that begins with a letter. For example beta@/opt/chromium-beta/chrome.`,
    );
  });
  const twice = browsers.find(
    ({ name }, at) => browsers.findIndex((each) => each.name === name) < at,
  );
  if (twice === undefined) return browsers;
  throw new UsageError(
    `--${option} ${given}: two browsers have the name ${twice.name}. Give each its own.`,
  );
};

const LONGEST_BROWSER = 20;

/** Names, separated by commas. */
export const names: Reader<string[]> = (option, given) => {
  const found = given.split(',').map((name) => name.trim());
  if (!found.includes('')) return found;
  throw new UsageError(`--${option} ${JSON.stringify(given)}: expected names with commas between.`);
};

/** URLs, separated by commas, which URLs may contain too. */
export const urls: Reader<string[]> = (option, given) => {
  const found = given.split(/,(?=https?:)/i);
  if (found.every((url) => /^https?:/i.test(url) && URL.canParse(url))) return found;
  throw new UsageError(
    `--${option} ${JSON.stringify(given)}: expected URLs of the page, such as https://www.example.org/a.js, with commas between.`,
  );
};

/** Headers of the connection or the message framing. */
const RESERVED_HEADERS = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'te',
];

/** Lines of `Name: value`, as unique names in lower case. */
export const headers: Reader<Record<string, string>> = (option, given) => {
  const fields = given.split('\n').map((line) => {
    const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\r\0]*)$/.exec(line) ?? [];
    if (name === '')
      throw new UsageError(
        `--${option} ${JSON.stringify(line)}: expected 'Name: value', for example 'Range: bytes=0-99'.`,
      );
    if (RESERVED_HEADERS.includes(name.toLowerCase()))
      throw new UsageError(`--${option} ${JSON.stringify(line)}: ${name} is set by the client.`);
    return [name.toLowerCase(), value.trim()];
  });
  const names = fields.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return Object.fromEntries(fields);
  throw new UsageError(
    `--${option}: ${twice} stands twice. Put its values into one, with commas between.`,
  );
};

/** Shares in percent by name: `lte=60,cable=40`. */
export const shares: Reader<Record<string, number>> = (option, given) => {
  const pairs = names(option, given).map((word): [string, number] => {
    const [, name = '', text = ''] = /^(.+)=(\d+(?:\.\d+)?)$/.exec(word) ?? [];
    const share = Number(text);
    if (name !== '' && share > 0 && share <= 100) return [name, share];
    throw new UsageError(
      `--${option} ${word}: expected NAME=PERCENT above 0 and up to 100, for example lte=60,cable=40.`,
    );
  });
  const twice = pairs.find(([name], index) => pairs.findIndex(([each]) => each === name) < index);
  if (twice === undefined) return Object.fromEntries(pairs);
  throw new UsageError(`--${option} ${given}: ${twice[0]} stands twice. Expected each once.`);
};

export function oneOf<T extends string>(...words: readonly T[]): Reader<T> {
  const read = (option: string, given: string) => {
    const found = words.find((word) => word === given);
    if (found !== undefined) return found;
    throw new UsageError(
      `--${option} ${given}: expected one of ${words.join(', ')}.${didYouMean(given, words)}`,
    );
  };
  return Object.assign(read, { words });
}

/** Distinct words, separated by commas, in the order given. */
export function severalOf<T extends string>(...words: readonly T[]): Reader<T[]> {
  const readOne = oneOf(...words);
  const read = (option: string, given: string) => [
    ...new Set(names(option, given).map((word) => readOne(option, word))),
  ];
  return Object.assign(read, { words, several: true });
}

export function number(range: Bounds): Reader<number> {
  return (option, given) => numberIn(range, /^\d+(\.\d+)?$/, option, given, 'a number');
}

/** Numbers of a range, separated by commas. */
export function numbers(range: Bounds): Reader<number[]> {
  const readOne = number(range);
  return (option, given) => names(option, given).map((each) => readOne(option, each));
}

/** A list without duplicates. */
export function eachOnce<T extends string | number>(read: Reader<T[]>): Reader<T[]> {
  return (option, given) => {
    const values = read(option, given);
    const twice = values.find((value, index) => values.indexOf(value) !== index);
    if (twice === undefined) return values;
    throw new UsageError(`--${option} ${given}: ${twice} stands twice. Expected each once.`);
  };
}

export function wholeNumber(range: Bounds): Reader<number> {
  return (option, given) => numberIn(range, /^\d+$/, option, given, 'a whole number');
}

/** One of some words, or a whole number of a range; `unit` stands before the number in messages. */
export function wholeNumberOr<const T extends string>(
  words: readonly T[],
  range: Bounds,
  unit = '',
): Reader<T | number> {
  const expected = `${words.join(', ')}, or ${unit}a whole number`;
  return (option, given) =>
    words.find((word) => word === given) ?? numberIn(range, /^\d+$/, option, given, expected);
}

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** A time with its unit: `90s`, `45m`, `2h` or `1.5h`; returns ms. */
export const durationMs: Reader<number> = (option, given) => {
  const [, count, unit] = /^(\d+(?:\.\d+)?)([smh])$/.exec(given) ?? [];
  const ms = Number(count) * (UNIT_MS[unit as keyof typeof UNIT_MS] ?? Number.NaN);
  const [least, most] = BOUNDS.durationMs;
  if (ms >= least && ms <= most) return ms;
  throw new UsageError(
    `--${option} ${given}: expected a time from ${least / UNIT_MS.s}s to ${most / UNIT_MS.h}h with its unit, for example 3s, 45m or 2h.`,
  );
};

function numberIn(
  [least, most]: Bounds,
  form: RegExp,
  option: string,
  given: string,
  what: string,
): number {
  const value = form.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${option} ${given || '""'}: expected ${what} from ${least} to ${most}.`);
}
