import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttemptPackets } from '../../../../ground/records/packets.ts';
import { wordsOf } from '../../approve.ts';
import { HOSTILE } from '../../kit/charts/marks.ts';
import { madeCapture, madeConnection } from '../captured-run.ts';
import { DELAYED, fixtureRun } from '../fixture-run.ts';
import { documentOf } from '../reported.ts';

/** The section of a run with all loads captured, and its words. */
async function sectionOf(change: (capture: AttemptPackets) => void = () => {}) {
  const made = fixtureRun({ subjects: ['www.example.org'], networks: [DELAYED] });
  const captures = made.observations.map((load) => {
    const capture = madeCapture(load);
    change(capture);
    return capture;
  });
  const document = await documentOf(made, { captures });
  const section = document.querySelector('section[aria-labelledby="packets"]');
  return { section, words: wordsOf(section) };
}

function rowOf(section: Element | null, name: string): string[] {
  const row = [...(section?.querySelectorAll('tr') ?? [])].find(
    (each) => each.querySelector('th')?.textContent === name,
  );
  return [...(row?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent ?? '');
}

test('shows the numbers of each stack in tables', async () => {
  const { section, words } = await sectionOf();
  const { toServer, toClient, beforeRequest } = madeConnection();
  assert.deepEqual(rowOf(section, 'Loads captured'), ['3', '3', '3']);
  assert.deepEqual(rowOf(section, 'May send'), Array(3).fill('33.0 ms (1.10)'));
  assert.deepEqual(rowOf(section, 'Handshake confirmed'), ['–', '–', '–']);
  const layers = rowOf(section, 'handshake');
  assert.deepEqual(
    layers,
    Array(3)
      .fill([`${beforeRequest.handshake}`, '0'])
      .flat(),
  );
  const all = rowOf(section, 'all').map((text) => Number(text.replace(',', '')));
  assert.equal((all[0] ?? 0) + (all[1] ?? 0), toServer.bytes + toClient.bytes);
  assert.match(words, /QUIC, h3, TLS 1\.3, TLS_AES_128_GCM_SHA256, X25519/);
  assert.equal(section?.querySelectorAll('a[href^="packets/"]').length, 9);
  assert.doesNotMatch(words, /Not read to the end|reuse connections/);
});

test('does not divide instants by a missing round trip', async () => {
  const { section } = await sectionOf(({ connections }) => {
    for (const { roundTripMs } of connections) if (roundTripMs) roundTripMs.least = 0.1;
  });
  assert.deepEqual(rowOf(section, 'May send'), Array(3).fill('33.0 ms'));
});

test('shows unread bytes separately, and no overhead if there are many', async () => {
  const name = 'Overhead: what was read and is no HTTP body';
  const { section } = await sectionOf(({ connections }) => {
    for (const { beforeRequest } of connections) beforeRequest.unread += 10;
  });
  assert.ok(
    rowOf(section, name).every((text) => /^\d+\.\d\d %$/.test(text)),
    `${rowOf(section, name)}`,
  );
  const { section: closed } = await sectionOf(({ connections }) => {
    for (const { afterRequest } of connections) {
      afterRequest.unread += afterRequest.payload;
      afterRequest.payload = 0;
    }
  });
  assert.ok(rowOf(closed, name).every((text) => !text.includes('%')));
  assert.ok(rowOf(closed, 'Not read').every((text) => Number.parseFloat(text) > 1));
});

test('omits the section for a run without captures', async () => {
  assert.equal((await documentOf(fixtureRun())).getElementById('packets'), null);
});

test('reports damaged captures, and those that continue earlier connections', async () => {
  const { words } = await sectionOf((capture) => {
    capture.complaints = ['cut short'];
    capture.earlierPackets = 4;
  });
  assert.match(words, /Not read to the end: .*cut short/);
  assert.match(words, /Where loads reuse connections that were there/);
});

test('renders names from the wire as text', async () => {
  const { section } = await sectionOf((capture) => {
    capture.complaints = [HOSTILE];
    for (const connection of capture.connections) {
      connection.protocol = HOSTILE;
      connection.closes = [{ by: 'client', layer: 'quic', code: 1, name: HOSTILE, isError: true }];
    }
  });
  assert.equal(section?.querySelectorAll('script, img').length, 0);
  assert.ok(section?.textContent?.includes(`client, QUIC CONNECTION_CLOSE: ${HOSTILE}`));
});
