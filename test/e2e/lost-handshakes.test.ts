import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STACKS } from '../../servers/index.ts';
import { loadOverPath, withPathBench } from './path-bench.ts';
import type { FixtureResource } from './site-fixture.ts';
import { assertOkOrSpoilt } from './whole-run.ts';

const MAIN = 'https://www.lost.test';
const PIXEL = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
const IMAGES = 20;

/** Enough bytes for a load of several seconds, in which the kernel sends its SYN again. */
const RESOURCES: FixtureResource[] = [
  {
    url: `${MAIN}/`,
    type: 'document',
    headers: [['content-type', 'text/html']],
    body: `<!doctype html><link rel="icon" href="data:,"><title>lost</title>
${Array.from({ length: IMAGES }, (_, index) => `<img src="/${index}.gif">`).join('')}`,
  },
  ...Array.from({ length: IMAGES }, (_, index) => ({
    url: `${MAIN}/${index}.gif`,
    type: 'image' as const,
    headers: [['content-type', 'image/gif']] as FixtureResource['headers'],
    body: Buffer.concat([PIXEL, Buffer.alloc(50_000)]),
  })),
];

test('counts a load though the first packet from the server of its document was lost', () =>
  withPathBench(
    RESOURCES,
    async (bench) => {
      for (const server of bench.servers) {
        const { pageLoad } = await loadOverPath(bench, server, {
          rttMs: 40,
          network: { downKbps: 4_000, upKbps: 4_000 },
          // What is sent at once gets through, and replies before Chromium begins its second
          // connection, after 250 ms, are lost.
          applied: { event: { kind: 'cut', atMs: 30, lastsMs: 200 } },
        });
        const { path, connections } = pageLoad;
        const name = server.stack.stack;
        assertOkOrSpoilt(pageLoad, name);
        assert.ok((path?.toClient.cut ?? 0) > 0, name);
        const [first, backup] = connections?.opened ?? [];
        if (first?.transport !== 'tcp') continue;
        // Chromium's second connection was there first.
        assert.ok((first.clientHelloMs ?? 0) > (backup?.serverHelloMs ?? Infinity), name);
        if (name === 'bun-h2') {
          assert.deepEqual([first.offered, backup?.offered], ['resumption', 'full'], name);
        }
      }
    },
    {
      stacks: STACKS.filter(({ stack }) => ['bun-h2', 'flask-h1', 'lsquic-h3'].includes(stack)),
      backend: 'userspace',
    },
  ));
