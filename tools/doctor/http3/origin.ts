import { isIP } from 'node:net';
import { authorityText, type Host, readHosts } from '../../../ground/options/hosts.ts';
import { UsageError } from '../../../ground/system/exit-status.ts';

/** What is asked why Chromium does not speak HTTP/3 to it. */
export interface Origin extends Host {
  url: string;
  /** Path and query. */
  path: string;
  /** The address to ask in place of those that the name has; null: those of the name. */
  resolve: string | null;
}

/**
 * The origin that a command line names.
 * @param text a URL of https://, which may be left out
 * @throws UsageError when it names none
 */
export function readOrigin(text: string, resolve: string | null): Origin {
  if (text.startsWith('@'))
    throw new UsageError(`${text}: one server at a time, as https://HOST:PORT.`);
  if (/^http:/i.test(text)) throw new UsageError(`${text}: HTTP/3 needs https://.`);
  if (resolve !== null && isIP(resolve) === 0) {
    throw new UsageError(`--resolve ${resolve}: expected an IPv4 or IPv6 address.`);
  }
  const [host] = readHosts([text]) as [Host];
  const url = URL.parse(/^https:/i.test(text) ? text : `https://${text}`);
  const path = url === null ? '/' : `${url.pathname}${url.search}`;
  return { ...host, url: `https://${authorityText(host)}${path}`, path, resolve };
}
