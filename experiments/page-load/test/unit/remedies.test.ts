import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { PHONE } from '../../../../ground/records/device.ts';
import type { PageLoad } from '../../details.ts';
import { remediesOfPageLoads } from '../../experiment.ts';

const SITE = { subject: 'a.test', url: 'https://a.test/?a=1&b=2', kind: 'recorded' };

const ARMS = [{ arm: 'bun-h2' }, { arm: 'mine-h3', own: { url: 'https://localhost' } }];
const runOf = (site: typeof SITE) => ({ subjects: [site], arms: ARMS, choices: {} });

function load(about: Partial<PageLoad>, blamed?: string[]): PageLoad {
  const details = { phasesMs: null, traffic: null, replay: null, blamed };
  return {
    subject: 'a.test',
    arm: 'bun-h2',
    outcome: 'invalid',
    code: 'wrong-status',
    details,
    ...about,
  } as PageLoad;
}

test('names the resource for which every load of a site is invalid in a remedy', () => {
  const loads = [
    load({}, ['https://a.test/y', 'https://a.test/x']),
    load({ code: 'request-failed' }, ['https://a.test/x']),
    load({ outcome: 'failed', code: 'timeout' }),
    load({ subject: 'b.test', outcome: 'ok', code: null }),
  ];
  const sites = [SITE, { ...SITE, subject: 'b.test' }, { ...SITE, subject: 'c.test' }];
  assert.deepEqual(
    remediesOfPageLoads(loads, { subjects: sites, arms: ARMS, choices: { device: PHONE } }),
    [
      "No load of a.test is ok: all completed loads are invalid (wrong-status, request-failed) because of https://a.test/x. Record the page anew: `npm run record -- 'https://a.test/?a=1&b=2' --name a.test --mobile`. Or make the site without this resource: `npm run export -- a.test --to har`, then `npm run import -- exports/a.test.har --without https://a.test/x`.",
    ],
  );
});

test('has no remedy after an ok load, another resource, another cause, or without a load that ended', () => {
  for (const loads of [
    [load({}, ['https://a.test/x']), load({ outcome: 'ok', code: null })],
    [load({}, ['https://a.test/x']), load({}, ['https://a.test/y'])],
    [load({}, ['https://a.test/x']), load({ code: 'machine-stalled' })],
    [load({ outcome: 'failed', code: 'timeout' }, ['https://a.test/x'])],
    [load({ details: null })],
    [],
  ]) {
    assert.deepEqual(remediesOfPageLoads(loads, runOf(SITE)), []);
  }
});

test('quotes URLs in commands so that a shell reads them unchanged', () => {
  const urls = ["https://a.test/it's;$(x)", 'https://a.test/b'];
  const [imported = ''] = remediesOfPageLoads(
    [load({}, urls)],
    runOf({ ...SITE, kind: 'imported' }),
  );
  assert.match(imported, / and 1 more\. .* --name a\.test --without /);
  const [, word = ''] = /--without (.*)`\.$/.exec(imported) ?? [];
  assert.equal(execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' }), urls.join());
});

test('verifies and makes a site again that was not recorded', () => {
  const [remedy = ''] = remediesOfPageLoads(
    [load({ code: 'request-set-differs' }, ['https://a.test/x'])],
    runOf({ ...SITE, kind: 'generated' }),
  );
  assert.match(remedy, /`npm run sites -- verify a\.test` .* `npm run setup`/);
  assert.doesNotMatch(remedy, /npm run (record|export|import)/);
});

test("names the user's server where only its loads are invalid", () => {
  const loads = [
    load({ arm: 'mine-h3' }, ['https://a.test/x']),
    load({ outcome: 'ok', code: null }),
  ];
  assert.deepEqual(remediesOfPageLoads(loads, runOf(SITE)), [
    'No load of a.test from mine-h3 is ok: all completed loads are invalid (wrong-status) because of https://a.test/x. Have your server answer it as recorded: `npm run export -- a.test --to files` writes the files.',
  ]);
});
