import { UsageError } from '../system/exit-status.ts';
import { readHosts } from './hosts.ts';

/** A page of the live web that is to be loaded. */
export interface LivePage {
  /** Of its host and path, fit for the name of a file. */
  name: string;
  /** Without its fragment, which no server is told. */
  url: string;
}

const MOST_NAME_CHARACTERS = 80;

/**
 * The pages that words of a command line name: URLs of https://, which may be left out. In the order given, each once.
 * @throws UsageError which word names none, and why
 */
export function readPages(operands: readonly string[]): LivePage[] {
  const pages = new Map<string, LivePage>();
  for (const word of operands) {
    const url = pageUrl(word);
    if ([...pages.values()].some((page) => page.url === url)) continue;
    const name = nameOf(new URL(url));
    const sameName = [...pages.keys()].filter((each) => each.replace(/-\d+$/, '') === name).length;
    const own = pages.has(name) ? `${name}-${sameName + 1}` : name;
    pages.set(own, { name: own, url });
  }
  return [...pages.values()];
}

function pageUrl(word: string): string {
  const refuse = (problem: string): never => {
    throw new UsageError(
      `--live ${withoutPassword(word)}: ${problem}. Expected addresses of pages, such as https://www.example.org/a.html, with spaces between.`,
    );
  };
  if (word.startsWith('@')) refuse('pages are named one by one');
  if (/^http:/i.test(word)) refuse('HTTP/3 and HTTP/2 need https://');
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(word) ? word : `https://${word}`);
  if (url === null) return refuse('this is no URL');
  if (url.protocol !== 'https:') refuse(`this is a URL of ${url.protocol}//`);
  if (url.username !== '' || url.password !== '')
    refuse('it has a password in it, which would be in the report');
  // Who may be a host is known there.
  readHosts([url.host]);
  url.hash = '';
  return url.href;
}

/** A word that is shown: who has typed a password does not want to see it in a log. */
export function withoutPassword(word: string): string {
  return word.replace(/^([a-z][a-z0-9+.-]*:\/\/)?[^/?#]+@/i, '$1…@');
}

function nameOf({ host, pathname }: URL): string {
  const words = `${host}${pathname}`
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return words.slice(0, MOST_NAME_CHARACTERS).replace(/[-.]+$/, '');
}
