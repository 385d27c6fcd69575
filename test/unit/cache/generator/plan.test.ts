import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planPage } from '../../../../cache/generator/plan.ts';
import type { PageShape, ShapeObject } from '../../../../cache/shapes/shapes.ts';
import { assertEach } from '../../assert-each.ts';

function object(type: ShapeObject['type'], changes: Partial<ShapeObject> = {}): ShapeObject {
  const sizes = { bytes: 5000, wireBytes: 5000 };
  const flags = { afterOnload: false, redirect: false, post: false };
  return { type, ...sizes, host: 0, initiator: 0, ...flags, ...changes };
}

function plan(...objects: ShapeObject[]) {
  const shape: PageShape = {
    site: 'www.example.org',
    inPublishedResults: false,
    hosts: 3,
    objects: [object('document', { initiator: null }), ...objects],
  };
  return planPage(shape).map((resource) => ({
    ...resource,
    asksFor: resource.requests.map((request) => request.resource.index),
  }));
}

describe('the plan of a page', () => {
  it('names files by number and type, and hosts that no network has', () => {
    const urls = plan(object('script', { host: 2 }), object('image', { bytes: 43 })).map(
      ({ url }) => url,
    );
    assert.deepEqual(urls, [
      'https://www.example.org/',
      'https://host2.www-example-org.test/0001.js',
      'https://www.example.org/0002.gif',
    ]);
  });

  it('has each object requested by its initiator, in the order of the shape', () => {
    const resources = plan(
      object('stylesheet'),
      object('image'),
      object('font', { initiator: 1 }),
      object('image', { initiator: 1 }),
    );
    assert.deepEqual(resources[0]?.asksFor, [1, 2]);
    assert.deepEqual(resources[1]?.asksFor, [3, 4]);
  });

  it('gives objects without initiator to the nearest script before them that has room', () => {
    const resources = plan(
      object('script'),
      object('script', { bytes: 200, wireBytes: 200 }),
      object('image', { initiator: null }),
    );
    assert.deepEqual(resources[1]?.asksFor, [3]);
  });

  it('does not let a script that runs after the load event request an object from before it', () => {
    const late = object('script', { afterOnload: true });
    const resources = plan(late, object('image', { initiator: null }));
    assert.deepEqual(resources[0]?.asksFor, [1, 2]);
    assert.equal(resources[0]?.requests[1]?.byScript, true);
  });

  it('does not give objects of the page to scripts of a frame', () => {
    const resources = plan(
      object('iframe'),
      object('script', { initiator: 1 }),
      object('image', { initiator: null }),
    );
    assert.deepEqual(resources[0]?.asksFor, [1, 3]);
  });

  it('resolves a redirect to the object that it initiated, which has no other initiator', () => {
    const hop = object('image', { bytes: 0, redirect: true });
    const resources = plan(hop, object('image', { initiator: 1 }));
    assert.equal(resources[1]?.location?.index, 2);
    assertEach(resources, ({ asksFor }) => asksFor, [[1], [], []]);
  });

  it('resolves a redirect without initiated objects to the next like it on the same host', () => {
    const resources = plan(
      object('iframe', { bytes: 0, redirect: true, host: 1 }),
      object('iframe', { host: 2 }),
      object('iframe', { host: 1 }),
    );
    assert.equal(resources[1]?.location?.index, 3);
    assert.deepEqual(resources[0]?.asksFor, [1, 2]);
  });

  it('rejects a redirect without a target', () => {
    assert.throws(() => plan(object('image', { redirect: true })), /objects\[1\] .* leads nowhere/);
  });

  it('waits for the load event only if the initiator is there before it', () => {
    const resources = plan(
      object('iframe', { afterOnload: true }),
      object('image', { afterOnload: true, initiator: 1 }),
    );
    assert.equal(resources[0]?.requests[0]?.afterLoad, true);
    assert.equal(resources[1]?.requests[0]?.afterLoad, false);
  });
});
