import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PageLoad } from '../../../../experiments/page-load/details.ts';
import { blocksOf } from '../../../../report/summary/blocks.ts';
import { fairnessOf } from '../../../../report/summary/fairness.ts';
import { type FixtureOptions, fixtureRun, NONE, spoil } from '../fixture-run.ts';

function propertyOf(name: string, change: FixtureOptions['change']) {
  const { run, observations } = fixtureRun({
    subjects: ['a.example', 'b.example'],
    networks: [NONE],
    change,
  });
  const [pair] = fairnessOf(run, [...blocksOf(run, observations).values()].flat());
  assert.deepEqual([pair?.a, pair?.b], ['lsquic-h3', 'bun-h2']);
  return pair?.properties.find(({ property }) => property === name);
}

function serveOtherHeaders({ details }: PageLoad): void {
  assert.ok(details?.traffic);
  details.traffic.responseHeadersSha256 = 'ef'.repeat(32);
}

test('a property is equal only when it is on every site, and the site that breaks it is named', () => {
  const equal = propertyOf('responseHeaders', () => {});
  assert.equal(equal?.verdict, 'equal');
  const differing = propertyOf('responseHeaders', (load) => {
    if (load.subject === 'b.example' && load.arm === 'bun-h2') serveOtherHeaders(load);
  });
  assert.equal(differing?.verdict, 'differs');
  assert.match(differing?.note ?? '', /^On b\.example\. /);
  const everywhere = propertyOf('responseHeaders', (load) => {
    if (load.arm === 'bun-h2') serveOtherHeaders(load);
  });
  assert.equal(everywhere?.verdict, 'differs');
  assert.doesNotMatch(everywhere?.note ?? '', /^On /);
});

test('without loads what is counted from loads is unknown, never equal', () => {
  const { run } = fixtureRun();
  const [pair] = fairnessOf(run, []);
  const fromLoads = pair?.properties.filter(({ property }) =>
    ['cipher', 'connections', 'responseHeaders'].includes(property),
  );
  assert.deepEqual(
    fromLoads?.map(({ verdict }) => verdict),
    ['unknown', 'unknown', 'unknown'],
  );
});

test('losses at full sockets differ even where no load that had any counts', () => {
  assert.equal(propertyOf('receiveBufferErrors', () => {})?.verdict, 'equal');
  const lossy = propertyOf('receiveBufferErrors', (load) => {
    if (load.arm !== 'lsquic-h3' || load.repetition !== 2 || !load.machine) return;
    load.machine.udpReceiveBufferErrors = load.subject === 'b.example' ? 12 : 0;
    if (load.subject === 'b.example') spoil(load, 'failed', 'timeout', 'late');
  });
  assert.deepEqual([lossy?.verdict, lossy?.a, lossy?.b], ['differs', '2', '0']);
});

test('losses at full sockets are known of a run in which no block is whole', () => {
  const lossy = propertyOf('receiveBufferErrors', (load) => {
    if (load.arm !== 'lsquic-h3' || !load.machine) return;
    load.machine.udpReceiveBufferErrors = 5;
    spoil(load, 'failed', 'timeout', 'late');
  });
  assert.deepEqual([lossy?.verdict, lossy?.a, lossy?.b], ['differs', '5', '0']);
});

test('a stack of which the page asks for something else is seen, and nothing is said of runs that did not look', () => {
  const asks = (sets: Record<string, string>) => (load: PageLoad) => {
    assert.ok(load.details);
    load.details.requestSetSha256 = (sets[load.arm] ?? 'a').repeat(64);
    // With and without the icon.
    load.metrics.requests = load.arm === 'bun-h2' ? 3 : 4;
  };
  assert.equal(
    propertyOf('requests', () => {}),
    undefined,
  );
  assert.equal(propertyOf('requests', asks({}))?.verdict, 'equal');
  const differing = propertyOf('requests', asks({ 'bun-h2': 'b' }));
  assert.deepEqual(
    [differing?.verdict, differing?.decides, differing?.a, differing?.b],
    ['differs', true, 'a'.repeat(16), 'b'.repeat(16)],
  );
});
