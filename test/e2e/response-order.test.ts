import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { HarEntry } from '../../clients/har/har.ts';
import type { ResponseOrder, Stack } from '../../ground/stack.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { loadOverPath } from './load-over-path.ts';
import { responseOrderOf } from './order-of-responses.ts';
import { writeFixtureSite } from './site-fixture.ts';
import { reportSkippedStacks, STACKS_HERE } from './tested-stacks.ts';

const URL = 'https://www.order.test/';

/** Both sides of the early image: 2 MB, which take 3.2 s at the rate of the path. */
const EARLY_PIXELS = 700;
const URGENT_AFTER_MS = 400;
const URGENT_BYTES = 300_000;
const DOWN_KBPS = 5000;

/**
 * A large image of low priority, and later a style sheet, which has the highest priority of all.
 */
const DOCUMENT = `<!doctype html><link rel="icon" href="data:,"><img src="/early.bmp" fetchpriority="low"><script>
setTimeout(() => {
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = '/urgent.css';
  document.head.append(sheet);
}, ${URGENT_AFTER_MS});
</script>`;

/** Loads the page from a stack over a slow path; null: the two responses overlapped too little. */
async function observedOrder(stack: Stack, folder: string): Promise<ResponseOrder | null> {
  const entries = await loadOverPath(stack, URL, folder, { rttMs: 30, downKbps: DOWN_KBPS });
  const [first, early, urgent] = ['/', '/early.bmp', '/urgent.css'].map((ending) =>
    entryOf(entries, ending),
  ) as [HarEntry, HarEntry, HarEntry];
  return responseOrderOf({
    early: partsOf(early),
    urgent: partsOf(urgent),
    urgentRequestedAtMs: Date.parse(urgent.startedDateTime) - Date.parse(first.startedDateTime),
  });
}

/** An image without compression: Chromium stops loading what it cannot decode. */
function bitmap(): Uint8Array {
  const header = Buffer.alloc(54);
  const pixelBytes = EARLY_PIXELS ** 2 * 4;
  header.write('BM');
  header.writeUInt32LE(header.length + pixelBytes, 2);
  header.writeUInt32LE(header.length, 10);
  header.writeUInt32LE(40, 14);
  header.writeInt32LE(EARLY_PIXELS, 18);
  header.writeInt32LE(EARLY_PIXELS, 22);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(32, 28);
  return Buffer.concat([header, Buffer.alloc(pixelBytes)]);
}

function entryOf(entries: readonly HarEntry[], ending: string): HarEntry {
  const found = entries.find(({ request }) => request.url.endsWith(ending));
  assert.ok(found, `no request for ${ending}`);
  assert.equal(found.response.status, 200);
  return found;
}

function partsOf({ _chunks = [] }: HarEntry) {
  return _chunks.map(({ ts, bytes }) => ({ atMs: ts, bytes }));
}

/** On a busy machine the urgent response may be requested too late to show anything. */
const MOST_LOADS = 3;

/**
 * The order in most of three loads, as Chromium may read late, or the first one if it is that expected; null: the responses overlapped
 * too little.
 */
async function usualOrder(
  stack: Stack,
  folder: string,
  expected: ResponseOrder | undefined,
): Promise<ResponseOrder | null> {
  const orders: (ResponseOrder | null)[] = [];
  for (let loads = 0; loads < MOST_LOADS; loads += 1) {
    const order = await observedOrder(stack, folder);
    if (loads === 0 ? order === expected : order !== null && orders.includes(order)) return order;
    orders.push(order);
  }
  return orders.find((order) => order !== null) ?? null;
}

test('sends responses in the declared order from every server of HTTP/2 or HTTP/3', (t) =>
  withTemporaryFolder(async (folder) => {
    reportSkippedStacks(t);
    await writeFixtureSite(path.join(folder, 'site'), [
      {
        url: URL,
        type: 'document',
        headers: [['content-type', 'text/html']],
        body: DOCUMENT,
      },
      {
        url: `${URL}early.bmp`,
        headers: [['content-type', 'image/bmp']],
        body: bitmap(),
      },
      {
        url: `${URL}urgent.css`,
        headers: [['content-type', 'text/css']],
        body: `/*${'x'.repeat(URGENT_BYTES)}*/`,
      },
    ]);
    const observed: Record<string, ResponseOrder | null> = {};
    const declared: Record<string, ResponseOrder | undefined> = {};
    for (const stack of STACKS_HERE) {
      const { protocol, responseOrders, selectableOrder } = stack;
      if (protocol !== 'h2' && protocol !== 'h3') continue;
      const expected = responseOrders?.[protocol];
      if (expected !== 'varying') {
        declared[stack.stack] = expected;
        observed[stack.stack] = await usualOrder(stack, folder, expected);
      }
      if (!selectableOrder) continue;
      for (const responseOrder of [
        'by priority' as const,
        ...(selectableOrder.library === null ? [] : ['interleaved' as const]),
      ]) {
        const name = `${stack.stack} ${responseOrder}`;
        const onRequest: Stack = { ...stack, settings: { responseOrder } };
        declared[name] = responseOrder;
        observed[name] = await usualOrder(onRequest, folder, responseOrder);
      }
    }
    assert.ok(Object.keys(declared).length > 4);
    assert.deepEqual(observed, declared);
  }));
