import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Har } from '../../clients/har/har.ts';
import type { Stack } from '../../ground/stack.ts';
import { loadOverPath, type PathBench, withPathBench } from './path-bench.ts';
import type { FixtureResource } from './site-fixture.ts';
import { TESTED_STACKS } from './tested-stacks.ts';

const MAIN = 'https://www.replay.test';
const API = 'https://api.elsewhere.test';
const PIXEL = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

function image(url: string, ...further: [string, string][]): FixtureResource {
  return { url, type: 'image', headers: [['content-type', 'image/gif'], ...further], body: PIXEL };
}

// A page with the varying requests of recorded pages. It reports each result by requesting an image
// of that name, all before its load event: a busy machine may miss later ones.
const RESOURCES: FixtureResource[] = [
  {
    url: `${MAIN}/`,
    type: 'document',
    headers: [
      ['content-type', 'text/html'],
      ['cache-control', 'no-cache'],
    ],
    body: `<!doctype html><link rel="icon" href="data:,"><title>replay</title><p>Some text.</p>
<img src="/known.gif"><img src="/tracked.gif?site=7&t=2"><script>
const tell = (what) => { new Image().src = '/told-' + what + '.gif'; };
new Image().src = '/pixel.gif?id=1&r=' + Math.random();
navigator.sendBeacon('/beacon', 'x'.repeat(50000));
navigator.sendBeacon('/nobody-listens', 'lost');
navigator.serviceWorker.register('/worker.js');
const answered = (method, url, name, value, body) => {
  const request = new XMLHttpRequest();
  request.open(method, url, false);
  request.setRequestHeader(name, value);
  request.send(body);
  return request.status + '-' + request.responseText;
};
tell('film-' + answered('GET', '/film', 'range', 'bytes=2-4'));
tell('data-' + answered('POST', '${API}/data', 'content-type', 'application/json', '{}'));
</script>`,
  },
  image(
    `${MAIN}/known.gif`,
    ['cache-control', 'no-cache'],
    ['etag', '"known"'],
    // With HTTP/1.0 Chromium ignores the tag, and requests by this date alone.
    ['last-modified', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ),
  image(`${MAIN}/tracked.gif?site=7&t=1`),
  image(`${MAIN}/pixel.gif?id=1&r=0.5`),
  { url: `${MAIN}/beacon`, method: 'POST', status: 204 },
  { url: `${MAIN}/film`, headers: [['content-type', 'text/plain']], body: '0123456789' },
  {
    url: `${API}/data`,
    method: 'POST',
    headers: [
      ['content-type', 'text/plain'],
      ['access-control-allow-origin', MAIN],
    ],
    body: 'answer',
  },
  { url: `${MAIN}/worker.js`, headers: [['content-type', 'text/javascript']], body: '// empty' },
];

/** The server's log entry of a request. */
interface Logged {
  method: string;
  path: string;
  status: number;
  match: string;
}

/** A cold and a repeat visit by one stack: the HAR of each, and the server's log of both. */
function visitTwice(stack: Stack): Promise<{ hars: Har[]; log: Logged[] }> {
  const visiting = async (bench: PathBench) => {
    const [server] = bench.servers;
    assert.ok(server);
    const hars: Har[] = [];
    for (const visit of ['cold', 'repeat'] as const) {
      hars.push((await loadOverPath(bench, server, { visit })).har);
    }
    const file = path.join(bench.folder, `${bench.manifest.site}.${stack.stack}.log`);
    const read = async () => {
      const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
      return lines.filter((line) => line.includes('"match"')).map((line) => JSON.parse(line));
    };
    let log: Logged[] = await read();
    // A log arrives asynchronously, and beacons after the load.
    for (let wait = 0; wait < 200 && !hasBeacons(log); wait++) {
      await sleep(100);
      log = await read();
    }
    return { hars, log };
  };
  return withPathBench(RESOURCES, visiting, { stacks: [stack] });
}

/** Both of each load: a repeat visit has one before. */
function hasBeacons(log: readonly Logged[]): boolean {
  return ['/beacon', '/nobody-listens'].every(
    (beacon) => log.filter((line) => line.path === beacon).length >= 3,
  );
}

for (const stack of TESTED_STACKS) {
  describe(`a page with varying requests, by ${stack.stack}:`, () => {
    let log: Logged[] = [];
    let hars: Har[] = [];
    before(async () => {
      ({ hars, log } = await visitTwice(stack));
    });
    const statusesOf = (har: Har | undefined, url: string) =>
      har?.log.entries
        .filter(({ request }) => request.url.startsWith(url))
        .map(({ response }) => response.status);

    test('finds the recorded response for a parameter that is new each time', () => {
      assert.deepEqual(statusesOf(hars[0], `${MAIN}/pixel.gif`), [200]);
      assert.deepEqual(statusesOf(hars[0], `${MAIN}/tracked.gif?site=7&t=2`), [200]);
      const pixel = log.find((line) => line.path.startsWith('/pixel.gif'));
      assert.deepEqual([pixel?.match, pixel?.status], ['query', 200]);
    });

    test('answers a known beacon as recorded, an unknown one with 404', () => {
      const answer = (requestPath: string) => log.find((line) => line.path === requestPath)?.status;
      assert.deepEqual([answer('/beacon'), answer('/nobody-listens')], [204, 404]);
    });

    test('answers a range with that part', () => {
      assert.equal(statusesOf(hars[0], `${MAIN}/told-film-206-234.gif`)?.length, 1);
    });

    test('answers a request to another host that needs a preflight', () => {
      assert.equal(statusesOf(hars[0], `${MAIN}/told-data-200-answer.gif`)?.length, 1);
      assert.ok(log.some(({ method, status }) => method === 'OPTIONS' && status === 204));
    });

    test('runs no service worker', () => {
      const scripts = log.filter((line) => line.path === '/worker.js');
      assert.ok(scripts.length > 0 && scripts.every(({ status }) => status === 404));
    });

    test('answers 304 for what has not changed on a repeat visit', () => {
      assert.ok(log.some((line) => line.path === '/known.gif' && line.status === 304));
    });
  });
}
