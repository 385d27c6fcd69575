import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { manifestFile, readManifest, type SiteManifest } from '../../../../cache/manifest.ts';
import { pageLoad } from '../../../../experiments/page-load/experiment.ts';
import { DESKTOP, PHONE } from '../../../../ground/records/device.ts';
import { UsageError } from '../../../../ground/system/exit-status.ts';
import { readCommandLine } from '../../../../runner/command-line/command-line.ts';
import { optionsOf } from '../../../../runner/options.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { documentState } from '../../document.ts';
import { lineOfPages } from '../../page-run.ts';
import { type LiveAnswer, withLiveSite } from './record/live-site.ts';

const HOST = 'www.shop.test';
const URL_OF_PAGE = `https://${HOST}/`;
const HTML = { 'content-type': 'text/html' };

/** A page whose server can be changed, the function that reads a command line of it, and what that printed. */
function withShop(
  use: (shop: {
    page: LiveAnswer;
    folderOf: (site: string) => string;
    authority: string;
    address: string;
    printed: string[];
    lineOf: (...words: string[]) => ReturnType<typeof lineOfPages>;
  }) => Promise<void>,
): Promise<void> {
  const page: LiveAnswer = { headers: HTML, coding: 'gzip', body: '<title>Shop</title><p>Tea' };
  const answers = { 'GET /': page, 'GET /gone': { status: 404, headers: HTML, body: 'gone' } };
  return withTemporaryFolder((folder) => {
    const certs = path.join(folder, 'certs');
    return withLiveSite({ [HOST]: { protocol: 'http/1.1', answers } }, certs, (live) => {
      const folderOf = (site: string) => path.join(folder, 'sites', site);
      const printed: string[] = [];
      // Without pins, certificates count as those of any live page.
      const moreFlags = live.flags.filter((flag) => !flag.startsWith('--ignore-certificate'));
      const [, address = ''] = /MAP \S+ ([\d.:]+)/.exec(live.flags[0] ?? '') ?? [];
      const authority = path.join(certs, 'CA.pem');
      const lineOf = (...words: string[]) => {
        const line = readCommandLine(['benchmark', ...words, '--trust', authority]);
        assert.ok(line);
        return lineOfPages(line, { folderOf, moreFlags, print: (text) => printed.push(text) });
      };
      return use({ page, folderOf, authority, address, printed, lineOf });
    });
  });
}

test('a URL is recorded once, and its run has the networks and transports of visitors', () =>
  withShop(async ({ folderOf, printed, lineOf }) => {
    const { given, operands } = await lineOf(URL_OF_PAGE, '--network', 'fiber');
    const manifest = await readManifest(folderOf(HOST));
    assert.equal(manifest.kind, 'recorded');
    const { subjects, networks, stacks, choices } = optionsOf({ given, operands }, pageLoad, {});
    assert.deepEqual(subjects, [HOST]);
    assert.deepEqual(
      networks.map(({ name }) => name),
      ['fiber'],
    );
    assert.deepEqual(
      stacks.map(({ protocol }) => protocol),
      ['h3', 'h2'],
    );
    assert.deepEqual([choices.receiveBufferBytes, choices.initialWindowSegments], [null, null]);

    // Its host is unknown to this machine, so whether it has changed cannot be known.
    const recordedAt = (await readManifest(folderOf(HOST))).recordedAt;
    const again = await lineOf(URL_OF_PAGE);
    assert.equal(again.given.network, 'cable,lte,dsl');
    assert.match(printed.join('\n'), /did not respond: its recording of \d{4}-\d\d-\d\d/);
    assert.equal((await readManifest(folderOf(HOST))).recordedAt, recordedAt);
    await lineOf(URL_OF_PAGE, '--fresh');
    assert.notEqual((await readManifest(folderOf(HOST))).recordedAt, recordedAt);
  }));

test('a phone has its own recording, and a recording of another window is not used', () =>
  withShop(async ({ folderOf, printed, lineOf }) => {
    await lineOf(URL_OF_PAGE);
    const desktop = await readManifest(folderOf(HOST));
    const siteOf = async () => (await lineOf(URL_OF_PAGE, '--mobile')).given.sites;
    assert.equal(await siteOf(), `${HOST}-mobile`);
    const phone = await readManifest(folderOf(`${HOST}-mobile`));
    assert.deepEqual(phone.device, PHONE);
    assert.deepEqual(await readManifest(folderOf(HOST)), desktop);
    await siteOf();
    assert.deepEqual(await readManifest(folderOf(`${HOST}-mobile`)), phone);

    const narrow = { ...DESKTOP, widthPx: 800 };
    await writeFile(manifestFile(folderOf(HOST)), JSON.stringify({ ...desktop, device: narrow }));
    await lineOf(URL_OF_PAGE);
    assert.equal((await readManifest(folderOf(HOST))).device, undefined);
    assert.match(printed.join('\n'), /was recorded on a desktop of 800x768 .*, not on .* 1366x768/);
  }));

test('an error page is recorded, and not measured', () =>
  withShop(async ({ lineOf }) => {
    await assert.rejects(lineOf(`${URL_OF_PAGE}gone`), (error: Error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, /\/gone answered with status 404, so nothing was measured/);
      return true;
    });
  }));

test('a document is the same as its recording, has changed, or cannot be reached', () =>
  withShop(async ({ page, folderOf, authority, address, lineOf }) => {
    await lineOf(URL_OF_PAGE);
    const folder = folderOf(HOST);
    const recorded = await readManifest(folder);
    // The server of this test is at another place than the recorded URL says.
    const [ip = '', port] = address.split(':');
    const url = `https://${HOST}:${port}/`;
    const lookup: LookupFunction = (_, __, found) => found(null, [{ address: ip, family: 4 }]);
    const [resource] = recorded.resources;
    assert.ok(resource);
    const manifest: SiteManifest = { ...recorded, url, resources: [{ ...resource, url }] };
    const state = (from = url, trust: string | undefined = authority) =>
      documentState(from, { manifest, folder }, { lookup, ...(trust && { trust }) });
    assert.equal(await state(), 'same');
    assert.equal(await state(`https://${HOST}:1/`), 'unreachable');
    assert.equal(await state(url, ''), 'unreachable', 'an unknown authority');
    assert.equal(await state(`${url}gone`), 'changed');
    page.body = '<title>Shop</title><p>Coffee';
    assert.equal(await state(), 'changed');
  }));
