import assert from 'node:assert/strict';
import path from 'node:path';
import type { TestContext } from 'node:test';

/**
 * Fails unless text equals the approved one in `snapshots/` next to the test.
 * `node --test --test-update-snapshots FILE` writes it; a missing file fails otherwise.
 */
export function approve(t: TestContext, name: string, text: string | readonly string[]): void {
  const file = t.filePath ?? '';
  const lines = typeof text === 'string' ? text : text.map((line) => `${line}\n`).join('');
  assert.notEqual(lines.trim(), '', 'there is nothing to approve');
  t.assert.fileSnapshot(
    lines.replaceAll('\u00a0', ' '),
    path.join(path.dirname(file), 'snapshots', `${path.basename(file, '.test.ts')}.${name}.txt`),
    { serializers: [String] },
  );
}

/** The words that a reader sees, one block or table row a line: a chart is its label. */
export function outlineOf(root: Element | null): string {
  return root === null ? '' : `${linesOf(root).join('\n')}\n`;
}

const BLOCKS = /^(p|li|h[1-6]|figcaption|summary|caption|dt|dd)$/;

function linesOf(element: Element): string[] {
  const tag = element.tagName.toLowerCase();
  if (tag === 'svg') return [`[${element.getAttribute('aria-label') ?? 'picture'}]`];
  if (tag === 'tr') return [[...element.children].map(cellOf).join(' | ').trimEnd()];
  const hasBlocks =
    element.querySelector('p, li, table, figure, details, dl, h2, h3, svg') !== null;
  if (BLOCKS.test(tag) && !hasBlocks)
    return [`${tag}: ${tag === 'caption' ? cellOf(element) : wordsOf(element)}`];
  const own = partsOf(element).flatMap((part) =>
    typeof part === 'string' ? [part.replace(/\s+/g, ' ').trim()] : linesOf(part),
  );
  const lines = own.filter((line) => line !== '');
  return /^(details|table|li)$/.test(tag) ? [tag, ...lines.map((line) => `  ${line}`)] : lines;
}

/** The text of a cell or caption with its parts on separate lines. */
function cellOf(cell: Element): string {
  return partsOf(cell)
    .map((part) => (typeof part === 'string' ? part : wordsOf(part)).replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '')
    .join(' ');
}

/** An element's texts, with names inside them, and its other elements. */
function partsOf(element: Element): (string | Element)[] {
  const parts: (string | Element)[] = [];
  for (const node of element.childNodes) {
    const isText = node.nodeType !== 1 || (node as Element).tagName === 'BDI';
    const before = parts.at(-1);
    if (!isText) parts.push(node as Element);
    else if (typeof before === 'string') parts.push(parts.pop() + (node.textContent ?? ''));
    else parts.push(node.textContent ?? '');
  }
  return parts;
}

/** The lines of the second text that the first lacks. */
export function linesAdded(before: string, after: string): string[] {
  const had = new Set(before.split('\n'));
  return after.split('\n').filter((line) => line !== '' && !had.has(line));
}

/** The text of an element with single spaces. */
export function wordsOf(element: { textContent: string | null } | null | undefined): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
}
