import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Slice } from './kinds.ts';

/** Deletes a slice from a copy of the project: its folder, its lines of the index and its npm scripts. Returns the lines removed. */
export function cutSlice(root: string, slice: Slice): string[] {
  if (slice.indices.length === 0) {
    throw new Error(`No file next to ${slice.folder}/ names it. Expected an index with a line.`);
  }
  rmSync(path.join(root, slice.folder), { recursive: true });
  const cutFile = (file: string, cut: (text: string) => Cut) => {
    const { text, removed } = cut(readFileSync(path.join(root, file), 'utf8'));
    writeFileSync(path.join(root, file), text);
    return removed.map((line) => `${file}: ${line.trim()}`);
  };
  return [
    ...slice.indices.flatMap((file) => cutFile(file, (text) => cutIndex(text, slice.name))),
    ...cutFile('package.json', (text) => cutScripts(text, slice)),
  ];
}

interface Cut {
  text: string;
  removed: string[];
}

/**
 * An index without a slice: without the imports from its folder, their entries, and entries that
 * have its path themselves. An entry has its own line, or shares one.
 */
export function cutIndex(text: string, name: string): Cut {
  const removed: string[] = [];
  const remove = (line: string) => {
    removed.push(line.replaceAll(/\s+/g, ' '));
    return '';
  };
  const names: string[] = [];
  const statement = new RegExp(`^import (?:type )?([^;]*?) from '\\./${name}/[^']*';\\n`, 'gm');
  const withoutImports = text.replaceAll(statement, (found, clause: string) => {
    names.push(...namesIn(clause));
    return remove(found);
  });
  const entry = new RegExp(`^.*'\\./${name}/.*\\n`, 'gm');
  let rest = withoutImports.replaceAll(entry, remove);
  for (const each of names) {
    rest = rest
      .replaceAll(new RegExp(`^ +(?:[\\w'-]+: |\\.\\.\\.)?${each},\\n`, 'gm'), remove)
      .replaceAll(new RegExp(`(?<=[[{] ?|, )(?:\\.\\.\\.)?${each}, `, 'g'), remove)
      .replaceAll(new RegExp(`(?:, |(?<=[[{] ?))(?:\\.\\.\\.)?${each}(?= ?[\\]}])`, 'g'), remove);
  }
  return { text: rest, removed };
}

/** `a, type b, c as d`, in braces or not: their local names in a file. */
function namesIn(clause: string): string[] {
  return clause
    .replaceAll(/[{}]/g, '')
    .split(',')
    .map((each) => each.trim().split(/\s+/).at(-1) as string)
    .filter((each) => each !== '');
}

/**
 * package.json without the scripts that have a slice's name or run files of its folder, and without
 * their pre and post scripts.
 */
export function cutScripts(text: string, { name, folder }: Pick<Slice, 'name' | 'folder'>): Cut {
  const description = JSON.parse(text) as { scripts: Record<string, string> };
  const { scripts } = description;
  const own = Object.keys(scripts).filter(
    (each) => each === name || scripts[each]?.includes(`${folder}/`),
  );
  const removed = Object.keys(scripts).filter(
    (each) => own.includes(each.replace(/^(pre|post)(?=.)/, '')) || own.includes(each),
  );
  const kept = Object.fromEntries(
    Object.entries(scripts).filter(([each]) => !removed.includes(each)),
  );
  return { text: `${JSON.stringify({ ...description, scripts: kept }, null, 2)}\n`, removed };
}
