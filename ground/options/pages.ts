import { UsageError } from '../system/exit-status.ts';
import { readHosts } from './hosts.ts';

/** A page of the live web. */
export interface LivePage {
  /** Derived from host and path, valid as a file name. */
  name: string;
  /** Without its fragment, which is not sent to servers. */
  url: string;
}

const MOST_NAME_CHARACTERS = 80;

/**
 * Parses pages from a command line: URLs with optional https://. Keeps the order, and drops duplicates.
 * @throws UsageError with the invalid word and the reason
 */
export function readPages(operands: readonly string[]): LivePage[] {
  const pages = new Map<string, LivePage>();
  for (const word of operands) {
    const url = pageUrl(word);
    if ([...pages.values()].some((page) => page.url === url)) continue;
    const name = pageName(url);
    const sameName = [...pages.keys()].filter((each) => each.replace(/-\d+$/, '') === name).length;
    const own = pages.has(name) ? `${name}-${sameName + 1}` : name;
    pages.set(own, { name: own, url });
  }
  return [...pages.values()];
}

function pageUrl(word: string): string {
  const refuse = (problem: string): never => {
    throw new UsageError(
      `${withoutPassword(word)}: ${problem}. Expected addresses of pages, such as https://www.example.org/a.html, with spaces between.`,
    );
  };
  if (word.startsWith('@')) refuse('pages are named one by one');
  if (/^http:/i.test(word)) refuse('HTTP/3 and HTTP/2 need https://');
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(word) ? word : `https://${word}`);
  if (url === null) return refuse('this is no URL');
  if (url.protocol !== 'https:') refuse(`this is a URL of ${url.protocol}//`);
  if (url.username !== '' || url.password !== '')
    refuse('it has a password in it, which would be in the report');
  // Validates the host.
  readHosts([url.host]);
  url.hash = '';
  return url.href;
}

/** The word without a password, for messages and logs. */
export function withoutPassword(word: string): string {
  return word.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/?#]+@/i, '$1…@');
}

/** Host and path, valid as a file name. */
export function pageName(url: string): string {
  const { host, pathname } = new URL(url);
  const words = `${host}${pathname}`
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return words.slice(0, MOST_NAME_CHARACTERS).replace(/[-.]+$/, '');
}
