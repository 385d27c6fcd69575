import assert from 'node:assert/strict';
import { parseHTML } from 'linkedom';
import type { RunView } from '../../../experiments/run-view.ts';
import type { Section } from '../../../kit/page/section.ts';
import { outlineOf } from '../approve.ts';

/** A hostile name and reason: everything from the network is text. */
export const HOSTILE = `</bdi></table><script>alert(1)</script><img src=x onerror="y">'&`;

/** A section as a reader finds it. */
export function rendered<View extends RunView>(section: Section<View>, view: View) {
  assert.ok(section.isShown?.(view), `${section.id} is not shown`);
  const text = section.render(view, section.id)?.text ?? '';
  const { document } = parseHTML(`<!doctype html><html><body>${text}</body></html>`);
  assert.equal(document.querySelector('h2')?.id, section.id);
  assert.doesNotMatch(text, /NaN|undefined|Infinity|\bnull\b/);
  assert.equal(document.querySelectorAll('script, img').length, 0);
  return {
    text,
    document,
    words: (document.body.textContent ?? '').replace(/\s+/g, ' '),
    /** Its words, a block or table row a line. */
    outline: outlineOf(document.body),
    /** The cells of the table whose caption begins so, headings of rows included. */
    rowsOf(caption: string): string[][] {
      const found = [...document.querySelectorAll('table')].find((table) =>
        table.querySelector('caption')?.textContent?.startsWith(caption),
      );
      assert.ok(found, `no table "${caption}"`);
      return [...found.querySelectorAll('tbody tr')].map((row) =>
        [...row.querySelectorAll('th, td')].map(({ textContent }) => (textContent ?? '').trim()),
      );
    },
  };
}
