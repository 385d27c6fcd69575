import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isIn, type Slice } from './kinds.ts';
import { ELSEWHERE } from './test-names.ts';

/** A reference to a slice. */
export interface Mention {
  slice: Slice;
  file: string;
  line: number;
  /** The import or name. */
  what: string;
  /** The id that it names; null: it has the path of a file. */
  id: string | null;
}

/** Source files of a project, tests included, without comments. */
export function sourcesOf(root: string): Map<string, string> {
  const files = globSync('**/*.{ts,mjs}', {
    cwd: root,
    exclude: ELSEWHERE,
  });
  return new Map(
    files
      .toSorted()
      .map((file) => [file, withoutComments(readFileSync(path.join(root, file), 'utf8'))]),
  );
}

/**
 * Names of a slice in code: that of its folder, and those in the descriptions that its index
 * imports.
 */
export async function idsOf(
  root: string,
  { kind, name, folder, indices }: Slice,
): Promise<string[]> {
  const ids = new Set([name]);
  for (const index of kind.id === null ? [] : indices) {
    const source = readFileSync(path.join(root, index), 'utf8');
    for (const [, names = '', file = ''] of source.matchAll(
      /^import \{([^}]*)\} from '(\.\/[^']*)';/gm,
    )) {
      if (!file.startsWith(`./${name}/`)) continue;
      const module = await import(path.join(root, path.dirname(folder), file));
      for (const each of names.match(/\w+/g) ?? []) {
        const id = module[each]?.[kind.id as string];
        if (typeof id === 'string') ids.add(id);
      }
    }
  }
  return [...ids];
}

/** References by import or name, outside of its folder and its index. */
export function mentionsOf(
  slice: Slice,
  ids: readonly string[],
  sources: ReadonlyMap<string, string>,
): Mention[] {
  const word = new RegExp(`(['"\`])(${ids.join('|')})\\1`, 'g');
  const literal = /(['"`])((?:(?!\1)[^\n\\])*)\1/g;
  return [...sources].flatMap(([file, source]) => {
    if (isIn(slice, file) || slice.indices.includes(file)) return [];
    const at = (index: number) => source.slice(0, index).split('\n').length;
    return [
      ...[...source.matchAll(word)]
        .filter(({ index }) => !hasOtherMeaning(source.slice(Math.max(0, index - 40), index)))
        .map(({ index, 2: id = '' }) => ({ slice, file, line: at(index), what: `'${id}'`, id })),
      ...[...source.matchAll(literal)]
        .filter(({ 2: text = '' }) => leadsInto(slice, file, text))
        .map(({ index, 2: what = '' }) => ({ slice, file, line: at(index), what, id: null })),
    ];
  });
}

/**
 * Whether a literal is the path of a file of the slice, in the project or relative to its own file.
 */
function leadsInto(slice: Slice, file: string, text: string): boolean {
  const target = /^\.{1,2}\//.test(text) ? path.join(path.dirname(file), text) : text;
  return isIn(slice, target);
}

/**
 * Whether the code before a literal excludes a slice's name: an event of Node
 * (`socket.once('connect', …)`, `once(socket, 'connect')`), an ability of a client
 * (`clientFor('transfer', name)`), or a kind of media or sites (`kind === 'video'`).
 */
function hasOtherMeaning(before: string): boolean {
  return /(?:\.(?:on|once|off|emit|removeListener)\(|\bonce\([\w.]+, |\bclients?For\(|\bClientWith<|\bkind(?:Of\(\w+\))?(?: [!=]==|:) )$/.test(
    before,
  );
}

/** The same lines without comments. */
function withoutComments(source: string): string {
  return source
    .replaceAll(/^ *\/\*[\s\S]*?\*\//gm, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}
