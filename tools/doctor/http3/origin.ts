import { isIP } from 'node:net';
import { authorityText, type Host, readHosts } from '../../../ground/options/hosts.ts';
import { UsageError } from '../../../ground/system/exit-status.ts';

export interface Origin extends Host {
  url: string;
  /** Path and query. */
  path: string;
  /** IP address to connect to; null: resolve the name. */
  resolve: string | null;
}

/**
 * @param text a URL; https:// may be omitted
 * @throws UsageError if it is not valid
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
