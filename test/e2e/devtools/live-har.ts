import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hostsOf } from '../../../cache/manifest.ts';
import { buildHar } from '../../../clients/chromium/har/build.ts';
import type { Har } from '../../../clients/har/har.ts';
import type { LoadDescription } from '../../../clients/har/load-description.ts';
import type { BrowserKind } from '../../../ground/browser-kind.ts';
import { inBrowser, type Stack } from '../../../ground/stack.ts';
import { NOTHING_ADDED } from '../../../network/conditions.ts';
import type { Machine } from '../../../runner/machine.ts';
import { withServers } from '../../../runner/servers.ts';
import { ensureLeaves } from '../../leaves.ts';
import { loopbackAddresses } from '../loopback.ts';
import { loadOnce } from '../one-load.ts';
import { withPathBench } from '../path-bench.ts';
import { type FixtureResource, writeFixtureSite } from '../site-fixture.ts';

const MAIN = 'https://www.har.test';
const OTHER = 'https://static.other.test';

/** A page with typical pitfalls of HARs. */
const RESOURCES: FixtureResource[] = [
  {
    url: `${MAIN}/`,
    type: 'document',
    status: 302,
    headers: [
      ['location', '/home'],
      ['set-cookie', 'step=1; Secure'],
    ],
  },
  {
    url: `${MAIN}/home`,
    type: 'document',
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['set-cookie', 'a=1; Secure; HttpOnly'],
      ['set-cookie', 'b=2; Path=/'],
    ],
    body: `<!doctype html><title>HAR</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css?x=1|2">
<img src="${OTHER}/moved.png"><img src="/missing.png"><img src="https://nowhere.test/gone.png">
<iframe src="${OTHER}/frame"></iframe>
<script>
  // The style sheet has its image asked for now, not when there is time to paint.
  document.body.offsetWidth;
  const headers = { 'content-type': 'application/json' };
  fetch('/json', { method: 'POST', headers, body: '{"q":"é"}' });
  fetch('${OTHER}/refused', { method: 'POST', headers, body: '{}' }).catch(() => {});
  navigator.sendBeacon('/beacon', 'beacon');
</script>${'<p>a line that compresses well'.repeat(300)}`,
    gzip: true,
  },
  {
    url: `${MAIN}/style.css?x=1|2`,
    type: 'stylesheet',
    headers: [['content-type', 'text/css']],
    body: 'body { background: url(/dot.svg) }',
  },
  {
    url: `${MAIN}/dot.svg`,
    type: 'image',
    headers: [['content-type', 'image/svg+xml']],
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  },
  {
    url: `${MAIN}/json`,
    method: 'POST',
    type: 'xhr',
    headers: [['content-type', 'application/json']],
    body: '{"ok":true}',
  },
  { url: `${MAIN}/beacon`, method: 'POST', status: 204 },
  {
    url: `${OTHER}/moved.png`,
    type: 'image',
    status: 301,
    headers: [['location', `${MAIN}/dot.svg?moved`]],
  },
  {
    url: `${MAIN}/dot.svg?moved`,
    type: 'image',
    headers: [['content-type', 'image/svg+xml']],
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  },
  {
    url: `${OTHER}/frame`,
    type: 'iframe',
    headers: [['content-type', 'text/html']],
    body: '<img src="/in-frame.svg">',
  },
  {
    url: `${OTHER}/in-frame.svg`,
    type: 'image',
    headers: [['content-type', 'image/svg+xml']],
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  },
];

/** Required contents of the page's HAR: method, URL and status of each request. */
export const EXPECTED: [method: string, url: string, status: number][] = [
  ['GET', `${MAIN}/`, 302],
  ['GET', `${MAIN}/home`, 200],
  ['GET', `${MAIN}/style.css?x=1|2`, 200],
  ['GET', `${MAIN}/dot.svg`, 200],
  ['GET', `${OTHER}/moved.png`, 301],
  ['GET', `${MAIN}/dot.svg?moved`, 200],
  ['GET', `${MAIN}/missing.png`, 404],
  ['GET', 'https://nowhere.test/gone.png', 0],
  ['GET', `${OTHER}/frame`, 200],
  ['GET', `${OTHER}/in-frame.svg`, 200],
  ['POST', `${MAIN}/json`, 200],
  // The servers know no OPTIONS, so the request behind the preflight is never made.
  ['OPTIONS', `${OTHER}/refused`, 404],
  ['POST', `${OTHER}/refused`, 0],
  ['POST', `${MAIN}/beacon`, 204],
];

/** Loads the page from a stack in a browser of this machine and writes the HAR into the folder. */
export async function makeLiveHar(
  machine: Machine,
  stack: Stack,
  folder: string,
  browser: BrowserKind,
): Promise<{ file: string; har: Har }> {
  const about = {
    site: 'www.har.test',
    stack: stack.stack,
    url: `${MAIN}/`,
    comment: 'made by a test',
    browserVersion: 'the installed one',
    creatorVersion: 'the one under test',
  };
  const har = await (browser === 'firefox'
    ? loadInFirefox(stack, about)
    : loadInChromium(machine, stack, folder, about));
  const file = path.join(folder, `${stack.stack}-${browser}.har`);
  await writeFile(file, JSON.stringify(har));
  return { file, har };
}

async function loadInChromium(
  machine: Machine,
  stack: Stack,
  folder: string,
  about: LoadDescription,
): Promise<Har> {
  const siteFolder = path.join(folder, 'har');
  const certsFolder = path.join(folder, 'certs');
  await mkdir(folder, { recursive: true });
  const manifest = await writeFixtureSite(siteFolder, RESOURCES);
  const hosts = hostsOf(manifest);
  await ensureLeaves(hosts, certsFolder);
  const addresses = loopbackAddresses(hosts);
  const options = { machine, stacks: [stack], siteFolder, site: 'har', addresses, enter: [] };
  return withServers({ ...options, logsFolder: folder, certsFolder }, async ([server]) => {
    if (server === undefined) throw new Error(`no server of ${stack.stack}`);
    const settings = { chromium: machine.chromium, enter: [] };
    const { events, failure } = await loadOnce(server, manifest.url, settings);
    if (failure) throw new Error(`${failure.code}: ${failure.message}`);
    return buildHar(events, about);
  });
}

/** Firefox needs servers at port 443, which a path's own network has. */
function loadInFirefox(stack: Stack, about: LoadDescription): Promise<Har> {
  const arm = inBrowser(stack, 'firefox');
  return withPathBench(
    RESOURCES,
    async ({ pages, manifest, networkPath }) => {
      await networkPath.apply({ ...NOTHING_ADDED, seed: 1 });
      const context = await pages.open(arm.stack, 'cold');
      try {
        const options = { isReload: false, timeoutS: 30, script: null, capture: true };
        const page = await context.watch({ ...options, url: manifest.url });
        const { record, failure } = await page.settle(await page.load());
        if (failure) throw new Error(`${failure.code}: ${failure.message}`);
        return record.makeHar(about);
      } finally {
        await context.leave();
      }
    },
    { stacks: [arm] },
  );
}
