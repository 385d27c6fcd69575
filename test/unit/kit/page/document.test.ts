import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import { type DocumentParts, documentText } from '../../../../kit/page/document.ts';
import { html } from '../../../../kit/page/markup.ts';

const PARTS: DocumentParts = {
  title: 'A <title>',
  about: html`About <b>it</b>.`,
  contents: html`<li><a href="#first">First</a></li>`,
  warnings: [],
  main: html`<section id="first"></section>`,
  footer: html`Written from nothing.`,
};

const documentOf = (parts: Partial<DocumentParts> = {}) =>
  parseHTML(documentText({ ...PARTS, ...parts })).document;

test("puts a page's own parts in their positions", () => {
  const document = documentOf();
  for (const [selector, text] of [
    ['title', 'A <title>'],
    ['header > h1', 'A <title>'],
    ['header > p', 'About it.'],
    ['nav > ul > li > a', 'First'],
    ['footer', 'Written from nothing.'],
  ] as const) {
    assert.equal(document.querySelector(selector)?.textContent, text, selector);
  }
  assert.ok(document.querySelector('main > section'));
});

test('names runs only in the title', () => {
  const document = documentOf({ runIds: ['one', 'two & three'] });
  assert.equal(document.title, 'A <title> (one, two & three)');
  assert.equal(document.querySelector('h1')?.textContent, 'A <title>');
});

test('shows warnings first, as text, and no notice without them', () => {
  const { firstElementChild: notice } = documentOf({
    warnings: ['One.', '<b>Two</b>'],
  }).querySelector('main') as Element;
  assert.equal(notice?.getAttribute('aria-label'), 'Warnings');
  const sentences = [...(notice?.querySelectorAll('p') ?? [])].map((each) => each.textContent);
  assert.deepEqual(sentences, ['One.', '<b>Two</b>']);
  assert.equal(documentOf().querySelector('.notice'), null);
});

test("puts a page's own style behind that of every page", () => {
  const own = '.mine { color: red }';
  const [usual, changed] = [documentText(PARTS), documentText({ ...PARTS, style: own })];
  assert.ok(changed.includes(`${own}</style>`));
  assert.ok(!usual.includes(own));
  const policyOf = (text: string) => / content="(default-src [^"]+)"/.exec(text)?.[1];
  assert.ok(policyOf(usual));
  assert.notEqual(policyOf(usual), policyOf(changed));
});
