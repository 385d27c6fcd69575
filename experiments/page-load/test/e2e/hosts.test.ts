import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { siteFolder } from '../../../../cache/catalogue.ts';
import type { Http3Tests } from '../../../../cache/http3.ts';
import { readPackets, readRun } from '../../../../ground/records/read.ts';
import { runFolder } from '../../../../ground/records/run-folder.ts';
import { readHar, versionsByHost } from '../../../../test/e2e/hars.ts';
import { type FixtureResource, writeFixtureSite } from '../../../../test/e2e/site-fixture.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';
import type { PageLoad } from '../../details.ts';

const SITE = 'hosts-of-a-test';
const PAGE = 'www.shop-of-a-test.test';
const FONTS = 'fonts.cdn-of-a-test.test';
const STATS = 'stats.third-of-a-test.test';

const HTTP3: Http3Tests = {
  [PAGE]: { announcedBy: ['alt-svc'], refusal: null },
  [FONTS]: { announcedBy: ['https-record'], refusal: null },
  [STATS]: { announcedBy: ['alt-svc'], refusal: 'nothing listens there' },
};

const PIXEL = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');
const image = (host: string, index: number): FixtureResource => ({
  url: `https://${host}/${index}.gif`,
  type: 'image',
  headers: [
    ['content-type', 'image/gif'],
    ['access-control-allow-origin', '*'],
  ],
  body: PIXEL,
});

/** After the first images every host has announced HTTP/3, as all servers do. */
const RESOURCES: FixtureResource[] = [
  {
    url: `https://${PAGE}/`,
    type: 'document',
    headers: [['content-type', 'text/html']],
    body: `<!doctype html><link rel="icon" href="data:,"><title>hosts</title><p>Text.</p>
<script>
const show = (index) => Promise.all(['${PAGE}', '${FONTS}', '${STATS}'].map((host) => new Promise((shown) => {
  const image = new Image();
  image.onload = shown;
  if (index > 2) image.crossOrigin = 'anonymous';
  image.src = 'https://' + host + '/' + index + '.gif';
  document.body.append(image);
})));
show(1).then(() => show(2)).then(() => show(3)).then(() => show(4));
</script>`,
  },
  ...[1, 2, 3, 4].flatMap((index) => [PAGE, FONTS, STATS].map((host) => image(host, index))),
];

test('each host speaks what it spoke at the recording, in all arms alike', async () => {
  const folder = siteFolder(SITE);
  try {
    await writeFixtureSite(folder, RESOURCES, { kind: 'recorded', http3: HTTP3 });
    await withRun<PageLoad>(
      `benchmark --sites ${SITE} --stacks lsquic-h3,bun-h2 --rtt 20 --visit cold,repeat,resumed --repetitions 2 --packets all --initcwnd stock --seed 1`,
      async ({ out, observations, output }) => {
        assert.match(
          output,
          new RegExp(`HTTP/3 is used by ${PAGE}, ${FONTS}; HTTP/2 in both arms by ${STATS}`),
        );
        const { subjects } = await readRun(out);
        assert.deepEqual(subjects[0]?.hostsByProtocol, { h3: [PAGE, FONTS], h2: [STATS] });
        const counted = observations.filter(({ warmup, outcome }) => !warmup && outcome === 'ok');
        const cold = counted.filter(({ factors }) => factors.visit === 'cold');
        assert.ok(cold.length > 0);
        for (const load of cold) {
          const har = readHar(out, load);
          const own = load.arm === 'lsquic-h3' ? ['h3'] : ['h2'];
          assert.deepEqual(
            versionsByHost(har),
            { [PAGE]: own, [FONTS]: own, [STATS]: ['h2'] },
            load.id,
          );
          assert.equal(har.log.entries.length, 13, load.id);
        }
        const captured = await readPackets(out);
        for (const { id, arm, connections } of counted) {
          const opened = connections?.opened ?? [];
          const inCapture = captured.find((each) => each.id === id)?.connections ?? [];
          for (const { host, transport } of [...opened, ...inCapture]) {
            const expected = arm === 'lsquic-h3' && host !== STATS ? 'quic' : 'tcp';
            assert.equal(transport, expected, `${id}: ${host}`);
          }
          assert.equal(inCapture.length > 0, opened.length > 0, id);
        }
        const report = readFileSync(runFolder(out).report, 'utf8');
        assert.match(report, /HTTP\/2 in both arms by/);
        assert.match(report, /HTTP\/3 on hosts that did not speak it .*used by/);
        assert.match(report, /With matched transports: <code>npm run benchmark -- --sites/);
      },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
