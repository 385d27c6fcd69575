import type { ImportBudget } from '../../limits.ts';
import type { Note } from '../../notes.ts';
import type { RecordedExchange } from '../../recording.ts';
import { cacheUrl, withoutPort } from '../file-url.ts';
import { headerValue } from '../header-block.ts';
import { isHtmlType } from '../media-types.ts';
import type { SavedFile } from './saved-folder.ts';

interface SavedExchange {
  saved: SavedFile;
  exchange: RecordedExchange;
}

/**
 * Gives files the URLs by which the saved pages and style sheets name them: `--convert-links` makes paths of links, so that the query
 * becomes a part of the path (`%3F`) and other hosts become folders, and `--adjust-extension` changes the names of files.
 * @param all the document first; it keeps its URL
 */
export function withLinkedUrls(
  all: readonly SavedExchange[],
  budget: ImportBudget,
  notes: Note[],
): RecordedExchange[] {
  const linked = linkedUrls(all, budget);
  return all.flatMap((each) => {
    const { exchange } = each;
    const urls = [...(linked.get(each) ?? [])];
    if (urls.length === 0 || urls.includes(exchange.url) || each === all[0]) {
      const more = each === all[0] ? [] : urls.filter((url) => url !== exchange.url);
      return [exchange, ...more.map((url) => ({ ...exchange, url }))];
    }
    // Scripts may ask for the folder.
    const own = new URL(exchange.url).pathname.endsWith('/') ? [exchange] : [];
    const text = 'has the URL of the link to it, which wget changed when it saved the page';
    notes.push({ where: exchange.where, text: `${text}: ${urls[0]}` });
    return [...own, ...urls.map((url) => ({ ...exchange, url }))];
  });
}

/** By the file. Links are followed from the document on, since the URL of a style sheet decides what its own links mean. */
function linkedUrls(
  all: readonly SavedExchange[],
  budget: ImportBudget,
): Map<SavedExchange, Set<string>> {
  const fileOf = fileFinder(all);
  const linked = new Map<SavedExchange, Set<string>>();
  const bases = all.slice(0, 1).map((each) => ({ each, base: each.exchange.url }));
  const follow = () => {
    for (let base = bases.shift(); base; base = bases.shift()) {
      for (const link of linksOf(base.each.exchange)) {
        const url = cacheUrl(link, base.base);
        const target = url === null ? undefined : fileOf(url);
        if (url === null || !target) continue;
        const urls = linked.get(target) ?? new Set();
        if (urls.has(url)) continue;
        if (urls.size > 0) budget.takeEntry();
        linked.set(target, urls.add(url));
        bases.push({ each: target, base: url });
      }
    }
  };
  follow();
  // What scripts ask for.
  for (const each of all.slice(1)) {
    if (linked.has(each)) continue;
    bases.push({ each, base: each.exchange.url });
    follow();
  }
  return linked;
}

/** What `--adjust-extension` puts behind a name. */
const EXTENSIONS = ['.html', '.css'];

/** Finds the file that a browser gets under a URL if the folder is served as it is; undefined: there is none. */
function fileFinder(all: readonly SavedExchange[]): (url: string) => SavedExchange | undefined {
  const byUrl = new Map(all.map((each) => [each.exchange.url, each]));
  const byPath = new Map(
    all.map((each) => [`${withoutPort(each.saved.host)}/${each.saved.path}`, each]),
  );
  return (url) => {
    const { hostname, pathname, search } = new URL(url);
    const file = decoded(pathname).replace(/\/$/, '/index.html');
    const own = `${file}${search}`;
    // Without `--adjust-extension` the query stays one, and is escaped all the same. `--restrict-file-names=windows` has no question marks.
    const queries = [search, decoded(search), search.replace('?', '@')];
    const names = [...new Set(queries.map((query) => `${file}${query}`))].flatMap((name) => [
      name,
      ...EXTENSIONS.map((extension) => `${name}${extension}`),
    ]);
    // A link out of its host's folder leads to the folder of another host.
    const [, host = '', ...path] = own.split('/');
    const paths = [
      ...names.map((name) => `${hostname}${name}`),
      [withoutPort(host), ...path].join('/'),
    ];
    return byUrl.get(url) ?? paths.map((each) => byPath.get(each)).find((found) => found);
  };
}

function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Text beyond this is no page's, but data. */
const TEXT_BYTES = 16 * 1024 * 1024;

/** What stands in quotes, in brackets, behind an equals sign, or behind a comma and a blank (`srcset`). */
const WORD = /(?:["'(=]|,\s)\s*([^"'()<>\s]{1,4096})/g;

/** What may be a link in a page or a style sheet; most of it is something else. */
function* linksOf({ body, headers }: RecordedExchange): Generator<string> {
  const type = headerValue(headers, 'content-type') ?? '';
  const isText = isHtmlType(type) || /^\s*text\/css/i.test(type);
  const isPacked = headerValue(headers, 'content-encoding') !== null;
  if (body === null || !isText || isPacked || body.length > TEXT_BYTES) return;
  const words = new Set<string>();
  for (const [, word = ''] of Buffer.from(body).toString('utf8').matchAll(WORD)) words.add(word);
  for (const word of words) yield withoutEntities(word);
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&#38;': '&',
  '&#32;': ' ',
  '&#39;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
};

function withoutEntities(word: string): string {
  return word.replace(/&(amp|#\d\d|quot|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
}
