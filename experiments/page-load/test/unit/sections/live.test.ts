import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunView } from '../../../../run-view.ts';
import type { PageLoad } from '../../../details.ts';
import { livePages } from '../../../sections/live.ts';
import { livePages as rareLive } from '../../../sections.ts';
import { madeUpLoad } from '../made-up-live.ts';

const HOST = {
  host: 'www.test:443',
  quic: true,
  whyNot: null,
  announced: true,
  versions: { h3: 2 },
  bytes: 4000,
  address: '192.0.2.1',
  server: 'nginx',
  connectMs: 30,
};

function view(loads: readonly PageLoad[], isLive = true): RunView {
  return {
    run: {
      subjects: [{ subject: 'www.test', url: 'https://www.test/' }],
      arms: [
        { arm: 'h3', controlOf: null },
        { arm: 'h2', controlOf: null },
      ],
      analysis: { baseline: 'h2' },
      choices: isLive ? { livePages: { pauseMs: 3000 } } : {},
    },
    arms: [
      { arm: 'h3', label: 'HTTP/3', place: 0 },
      { arm: 'h2', label: 'HTTP/2', place: 1 },
    ],
    conditions: [{ loads }],
  } as unknown as RunView;
}

/** The section as text. */
function textOf(loads: readonly PageLoad[]): string {
  return String(livePages.render(view(loads), 'live-pages'))
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

test('omits the section for a run of cached pages', () => {
  assert.equal(rareLive.isShown(view([])), true);
  assert.equal(rareLive.isShown(view([], false)), false);
});

test('lists hosts with HTTP/3 support, addresses, sizes and connection times', () => {
  const ads = { ...HOST, host: 'ads.test:443', quic: false, whyNot: 'no answer', server: null };
  const load = madeUpLoad('h3', 1, {}, { hosts: [HOST, ads] });
  const text = textOf([load]);
  assert.match(text, /www\.test yes nginx 192\.0\.2\.1 1 by h3 4\.0 kB 30\.0/);
  assert.match(text, /ads\.test no – 192\.0\.2\.1/);
  assert.match(text, /Over TCP in every load: ads\.test : no answer\./);
});

test('shows common requests of pairs, and those of only one load', () => {
  const text = textOf([
    madeUpLoad('h3', 1, { 'GET https://www.test/': [1, 100], 'GET https://www.test/x': [1, 100] }),
    madeUpLoad(
      'h2',
      1,
      { 'GET https://www.test/': [1, 100] },
      { failed: ['GET https://www.test/x'] },
    ),
  ]);
  assert.match(text, /HTTP\/3 and HTTP\/2 1 66 % 66 % 66 % 66 % 1/);
  assert.match(text, /in one of both loads alone: GET https:\/\/www\.test\/x \(1 pair\)/);
  assert.match(text, /response: GET https:\/\/www\.test\/x : 1 load by h2/);
});

test('names hosts with HTTP/3 that do not announce it', () => {
  const silent = { ...HOST, announced: false };
  const of = (host: typeof HOST) => textOf([madeUpLoad('h3', 1, {}, { hosts: [host] })]);
  assert.match(of(silent), /announces HTTP\/3 \(Alt-Svc\): www\.test \./);
  assert.doesNotMatch(of(HOST), /announces HTTP\/3/);
});

test('reports once why a page was not loaded by HTTP/3', () => {
  const unsupported = (block: number) =>
    ({
      ...madeUpLoad('h3', block, {}),
      outcome: 'unsupported',
      message: 'Not loaded: because.',
      details: null,
    }) as unknown as PageLoad;
  const text = textOf([unsupported(1), unsupported(2)]);
  assert.equal(text.match(/HTTP\/3 : Not loaded: because\./g)?.length, 1);
  assert.match(text, /No load of it /);
});
