import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html, trusted } from '../../../../kit/page/markup.ts';

test('escapes text in content and in attributes', () => {
  const name = `<script>alert("1")</script>&'`;
  assert.equal(
    html`<td title="${name}">${name}</td>`.text,
    '<td title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;</td>',
  );
});

test('escapes escaped text once more, because it is text', () => {
  assert.equal(html`${'&amp;'}`.text, '&amp;amp;');
});

test('nests templates and joins lists without escaping them again', () => {
  const rows = ['a<', 'b'].map((cell) => html`<td>${cell}</td>`);
  assert.equal(html`<tr>${rows}</tr>`.text, '<tr><td>a&lt;</td><td>b</td></tr>');
});

test('omits null, undefined and false; keeps zero', () => {
  assert.equal(html`[${null}${undefined}${false}${0}]`.text, '[0]');
});

test('passes on unchanged only what is trusted by name', () => {
  assert.equal(html`${trusted('<b>')}`.text, '<b>');
  const forged = { text: '<b>', toString: () => '<b>' };
  assert.throws(() => html`${forged as unknown as string}`);
});
