import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PageShape, readShapes } from '../../../../cache/shapes/shapes.ts';
import { pagesOfRule, sizeQuarters } from '../../pages.ts';
import { FEWER_PAGES, PAGES, PAGES_OF_MANY_HOSTS } from '../../parts.ts';

/** A page of one object on each of its hosts. */
function page(site: string, wireBytes: number, hosts: number, inPublishedResults = true) {
  const objects = Array.from({ length: hosts }, (_, host) => ({
    type: host === 0 ? 'document' : 'image',
    // Larger than on the wire: only sent bytes count.
    bytes: 10 * wireBytes,
    wireBytes: host === 0 ? wireBytes : 0,
    host,
    initiator: host === 0 ? null : 0,
    afterOnload: false,
    redirect: false,
    post: false,
  }));
  return { site, inPublishedResults, hosts, objects } as PageShape;
}

test('the rule selects the twelve measured pages, and the fewer ones among them', () => {
  const { real, quarters } = pagesOfRule();
  const generated = quarters.flatMap(({ fewHosts, manyHosts }) => [fewHosts, manyHosts]);
  assert.deepEqual(PAGES, [...real, ...generated]);
  assert.equal(PAGES.length, 12);
  assert.deepEqual(
    FEWER_PAGES,
    quarters.map(({ fewHosts }) => fewHosts),
  );
  assert.deepEqual(
    PAGES_OF_MANY_HOSTS,
    quarters.map(({ manyHosts }) => manyHosts),
  );
});

test('the rule ignores the order of the shapes', () => {
  assert.deepEqual(sizeQuarters(readShapes().toReversed()), sizeQuarters());
});

test('the rule selects the middle page of a quarter of sizes with few hosts, and of one with many', () => {
  const ofSize = (wireBytes: number) =>
    [1, 2, 3, 4, 5, 6].map((hosts) => page(`${wireBytes}-${hosts}`, wireBytes, hosts));
  const shapes = [400, 100, 300, 200].flatMap(ofSize);
  assert.deepEqual(
    sizeQuarters([...shapes, page('unpublished', 100, 2, false)]),
    [100, 200, 300, 400].map((size) => ({ fewHosts: `${size}-2`, manyHosts: `${size}-5` })),
  );
  assert.throws(() => sizeQuarters(shapes.slice(0, 7)), /7 pages: expected at least two/);
});
