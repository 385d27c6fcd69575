import { UsageError } from '../system/exit-status.ts';
import { reasonOf } from '../system/file-error.ts';
import { isAddress, isIPv4, isIPv6 } from '../system/ip-address.ts';
import { readPlainTextSync } from '../system/plain-file.ts';
import type { Reader } from './row.ts';

export interface Host {
  /** Name as sent on the wire (`xn--mnchen-3ya.example`), in lower case without the final dot, or address without brackets. */
  host: string;
  port: number;
}

const PORT_OF_HTTPS = 443;
const MOST_LINES = 100_000;
const MOST_PROBLEMS_SHOWN = 10;
const MOST_CHARACTERS_SHOWN = 120;

const EXPECTED = 'Expected HOST, HOST:PORT, [IPV6]:PORT or a URL of https://';

class InvalidHost extends Error {}

/**
 * Parses hosts from a command line: `HOST[:PORT]`, `[IPV6]:PORT`, a URL, or `@FILE` with one of these on each
 * line. `#` at the beginning of a line or after white space starts a comment. Keeps the order, and drops
 * duplicates of host and port.
 * @throws UsageError with the invalid words and their lines
 */
export function readHosts(operands: readonly string[]): Host[] {
  const hosts = operands.flatMap((operand) =>
    operand.startsWith('@') ? readHostList(operand.slice(1)) : [readHost(operand)],
  );
  return [...new Map(hosts.map((each) => [hostText(each), each])).values()];
}

/** Parses an address with or without a port: `192.0.2.1`, `192.0.2.1:8443`, `2001:db8::1`, `[2001:db8::1]:8443`. */
export const address: Reader<{ ip: string; port: number | null }> = (option, given) => {
  const [, bracketed, plain, digits] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(given) ?? [];
  const ip = isAddress(given) ? given : (bracketed ?? plain ?? '');
  const port = ip === given || digits === undefined ? null : Number(digits);
  if (isAddress(ip) && port !== 0 && (port ?? 1) <= 65_535) return { ip, port };
  throw new UsageError(
    `--${option} ${given}: expected an address, with or without a port, for example 127.0.0.1:8443 or [::1]:8443.`,
  );
};

/** Text of a host and its port, without the default port 443. */
export function hostText({ host, port }: Host): string {
  return port === PORT_OF_HTTPS ? host : addressText({ host, port });
}

/** Text of a host and its port: `192.0.2.1:443`, `[2001:db8::1]:443`. */
export function addressText({ host, port }: Host): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Host and port in a URL. */
export function authorityText({ host, port }: Host): string {
  const name = isIPv6(host) ? `[${host}]` : host;
  return port === PORT_OF_HTTPS ? name : `${name}:${port}`;
}

export function hostOf(url: string): Host {
  return parseHost(url);
}

function readHost(word: string): Host {
  try {
    return parseHost(word);
  } catch (error) {
    if (error instanceof InvalidHost)
      throw new UsageError(`${error.message}. ${EXPECTED}, or @FILE.`);
    throw error;
  }
}

function readHostList(file: string): Host[] {
  const lines = textOf(file).split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  if (lines.length > MOST_LINES) {
    throw new UsageError(
      `${file} has ${lines.length} lines; expected at most ${MOST_LINES}. Split it.`,
    );
  }
  const problems: string[] = [];
  const hosts = lines.flatMap((line, index) => {
    const word = line.replace(/(^|\s)#.*$/, '').trim();
    if (word === '') return [];
    try {
      return [parseHost(word)];
    } catch (error) {
      if (!(error instanceof InvalidHost)) throw error;
      problems.push(`${file}, line ${index + 1}: ${error.message}.`);
      return [];
    }
  });
  if (problems.length > 0) {
    const more = problems.length - MOST_PROBLEMS_SHOWN;
    throw new UsageError(
      [
        ...problems.slice(0, MOST_PROBLEMS_SHOWN),
        ...(more > 0 ? [`${more} more lines of ${file} name no host.`] : []),
        `${EXPECTED}, one per line.`,
      ].join('\n'),
    );
  }
  if (hosts.length === 0) throw new UsageError(`${file} names no host. ${EXPECTED}, one per line.`);
  return hosts;
}

function textOf(file: string): string {
  try {
    return readPlainTextSync(file).replace(/^\ufeff/, '');
  } catch (error) {
    throw new UsageError(
      `@${file} cannot be read: ${reasonOf(error)}. Name a file with a host on each line.`,
    );
  }
}

function parseHost(word: string): Host {
  const refuse = (problem: string): never => {
    throw new InvalidHost(`${JSON.stringify(word.slice(0, MOST_CHARACTERS_SHOWN))} ${problem}`);
  };
  if (isIPv6(word)) return parseHost(`[${word}]`);
  const [, scheme = null] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(word) ?? [];
  if (/\s/.test(word)) refuse('has white space in it');
  if (scheme === null && word.includes('@')) refuse('names no host');
  if (scheme !== null && !/^https?$/i.test(scheme))
    refuse(`is a URL of ${scheme.slice(0, MOST_CHARACTERS_SHOWN)}://`);
  const url = URL.parse(scheme === null ? `https://${word}` : word);
  if (url === null) return refuse('names no host and port');
  if (url.protocol === 'http:' && url.port !== '') refuse('names a port without TLS');
  if (url.port === '0') refuse('has port 0, which is not valid');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIPv4(host) && !word.includes(host)) refuse(`is an odd way to write ${host}`);
  if (!isAddress(host)) refuseName(host, refuse);
  return { host, port: url.port === '' ? PORT_OF_HTTPS : Number(url.port) };
}

const MOST_NAME_CHARACTERS = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

function refuseName(host: string, refuse: (problem: string) => never): void {
  if (host.length > MOST_NAME_CHARACTERS) {
    refuse(`is a name of more than ${MOST_NAME_CHARACTERS} characters`);
  }
  const wrong = host.split('.').find((label) => !LABEL.test(label));
  if (wrong !== undefined) {
    refuse(`has ${JSON.stringify(wrong.slice(0, MOST_CHARACTERS_SHOWN))} in it, which no name has`);
  }
}
