import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunView } from '../../../../run-view.ts';
import type { PageLoadDetails } from '../../../details.ts';
import { discovery } from '../../../sections/discovery.ts';
import { discovery as rareDiscovery } from '../../../sections.ts';

type Details = Pick<PageLoadDetails, 'versions' | 'changedOver'>;

const versions = (document: string | null, responses: Record<string, number>): Details => ({
  versions: { document, responses, advertisedH3: true },
  changedOver: null,
});
const changed = (request: number, atMs: number): Details => ({
  ...versions('h2', { h2: request - 1, h3: 11 - request }),
  changedOver: { url: 'https://a.test/x', request, atMs },
});

/** A run of two stacks with these loads of `dual`, by site; the loads of the second stack came by HTTP/2. */
function view(bySite: Record<string, Details[]>, protocol = 'h2+h3'): RunView {
  const load = (arm: string, subject: string) => (details: Details, index: number) => ({
    id: `${arm}.${subject}.${index}`,
    arm,
    subject,
    details,
  });
  const loads = Object.entries(bySite).flatMap(([site, own]) => [
    ...own.map(load('dual', site)),
    ...own.map(() => versions('h2', { h2: 10 })).map(load('h2', site)),
  ]);
  return {
    run: {
      arms: [
        { arm: 'dual', protocol },
        { arm: 'h2', protocol: 'h2' },
      ],
    },
    arms: [
      { arm: 'dual', label: 'Dual', place: 0 },
      { arm: 'h2', label: 'Two', place: 1 },
    ],
    counted: new Set(loads.map(({ id }) => id).filter((id) => !id.endsWith('.9'))),
    conditions: [
      { network: { name: '30ms' }, variant: '', text: '30 ms added', variantText: '', loads },
    ],
    experiment: { attempt: ['load', 'loads'], subject: ['page', 'pages'] },
  } as unknown as RunView;
}

/** The cells of its rows, as text. */
function rowsOf(shown: RunView): string[][] {
  const page = String(discovery.render(shown, 'discovery'));
  return [...page.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(([, row = '']) =>
    row
      .split(/<\/t[hd]>/)
      .map((cell) => cell.replace(/<[^>]*>/g, '').trim())
      .filter((cell) => cell !== ''),
  );
}

test('omits the section for a run without a server that has both versions', () => {
  const shown = view({ 'a.test': [versions('h3', { h3: 10 })] });
  assert.equal(rareDiscovery.isShown(shown), true);
  assert.equal(rareDiscovery.isShown(view({}, 'h3')), false);
});

test('shows shares of loads and responses, and the median place of the switch', () => {
  const own = [
    versions('h3', { h3: 10 }),
    changed(3, 80),
    changed(5, 120),
    versions('h2', { h2: 10 }),
  ];
  assert.deepEqual(rowsOf(view({ 'a.test': own })), [
    ['Dual', 'a.test', '4', '25 % (1 of 4)', '60 % (24 of 40)', '50 % (2 of 4)', '4', '100'],
  ]);
});

test('shows a row of all for several pages, and excludes a cached document from the shares of documents', () => {
  const rows = rowsOf(
    view({ 'a.test': [versions(null, { h3: 2 })], 'b.test': [versions('h3', { h3: 2 })] }),
  );
  assert.deepEqual(rows, [
    ['Dual', 'all pages', '2', '100 % (1 of 1)', '100 % (4 of 4)', '0 % (0 of 2)', '–', '–'],
    ['Dual', 'a.test', '1', '–', '100 % (2 of 2)', '0 % (0 of 1)', '–', '–'],
    ['Dual', 'b.test', '1', '100 % (1 of 1)', '100 % (2 of 2)', '0 % (0 of 1)', '–', '–'],
  ]);
});

test('excludes loads that do not count', () => {
  const own = Array.from({ length: 10 }, (_, index) =>
    versions(index === 9 ? 'h2' : 'h3', { h3: 1 }),
  );
  assert.equal(rowsOf(view({ 'a.test': own }))[0]?.[3], '100 % (9 of 9)');
});
