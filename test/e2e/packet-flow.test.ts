import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseHTML } from 'linkedom';
import type { Page } from 'puppeteer-core';
import { readFlow } from '../../packets/flow/flow.ts';
import { writeFlowPage } from '../../packets/flow/page.ts';
import { stepText } from '../../packets/flow/sequence.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { inBothThemes, openAll, violationsOf } from './opened-page.ts';

const captureOf = (name: string) =>
  path.join(import.meta.dirname, '..', 'fixtures', 'captures', `${name}.pcapng`);

async function stepsOf(name: string, connection = 0): Promise<string[]> {
  const { connections } = await readFlow(captureOf(name));
  const steps = connections[connection]?.steps ?? [];
  return steps
    .filter(({ kind }) => kind !== 'acknowledgement' && kind !== 'control')
    .map((step) => `${step.direction === 'toServer' ? 'client' : 'server'}: ${stepText(step)}`);
}

const SERVER_FLIGHT =
  'Initial: ServerHello; Handshake: EncryptedExtensions, Certificate, CertificateVerify, Finished';

test('shows a load by HTTP/3 in order', async () => {
  assert.deepEqual(await stepsOf('h3'), [
    'client: Initial: ClientHello (2 packets)',
    `server: ${SERVER_FLIGHT}`,
    'client: Handshake: Finished',
    'client: HEADERS stream\u00a00',
    'server: 1-RTT: NewSessionTicket ×2; HANDSHAKE_DONE ×2',
    'server: response on stream 0: 3 packets, 1.4 kB',
  ]);
});

test('shows a lost flight of a QUIC handshake and its retransmission', async () => {
  const steps = await stepsOf('h3-server-hello-lost');
  assert.deepEqual(steps.slice(0, 5), [
    'client: Initial: ClientHello (2 packets)',
    `server: lost: ${SERVER_FLIGHT}`,
    'client: resent: part of the handshake',
    `server: resent: ${SERVER_FLIGHT}`,
    'client: Handshake: Finished',
  ]);
});

test('shows a load by HTTP/2 with losses and the path of its request', async () => {
  const steps = await stepsOf('h2-server-hello-lost');
  assert.deepEqual(steps, [
    'client: SYN',
    'server: SYN, ACK',
    'client: ClientHello (2 packets)',
    'server: lost: ServerHello, EncryptedExtensions, Certificate, CertificateVerify, Finished',
    'server: resent: ServerHello, EncryptedExtensions, Certificate, CertificateVerify, Finished',
    'client: lost: Finished',
    'client: GET /',
    'client: resent: Finished',
    'server: response on stream 1: 1 packet, 1.4 kB',
  ]);
});

test('shows a lost SYN on each connection of a load by HTTP/1.1', async () => {
  for (const connection of [0, 1]) {
    const steps = await stepsOf('h1-syn-lost', connection);
    assert.deepEqual(steps.slice(0, 3), [
      'client: lost: SYN',
      'client: resent: SYN',
      'server: SYN, ACK',
    ]);
  }
});

test('acknowledges every byte of the server in the end', async () => {
  for (const name of ['h3', 'h3-server-hello-lost', 'h2-server-hello-lost', 'h1-syn-lost']) {
    const { connections } = await readFlow(captureOf(name));
    const [first] = connections;
    const freshBytes = first?.series.sent.reduce((sum, packet) => sum + packet.freshBytes, 0);
    assert.equal(first?.series.acknowledged.at(-1)?.bytes, freshBytes, name);
  }
});

const CAPTURES = [
  { file: captureOf('h3'), label: 'lsquic (h3)' },
  { file: captureOf('h3-again'), label: 'lsquic (h3)' },
  { file: captureOf('h2-server-hello-lost'), label: 'Bun (h2)' },
  { file: captureOf('h1-syn-lost'), label: 'Flask (http/1.1)' },
];

test('draws captures on one page, next to their sequences', async (t) => {
  const folder = temporaryFolder(t);
  const out = path.join(folder, 'packets.html');
  const files = await writeFlowPage(CAPTURES, out);
  assert.deepEqual(
    files.map((file) => path.relative(folder, file)),
    [
      'packets.html',
      'h3.flow.json',
      'h3-again.flow.json',
      'h2-server-hello-lost.flow.json',
      'h1-syn-lost.flow.json',
    ],
  );
  assert.ok(files.every((file) => existsSync(file)));
  const sequence = JSON.parse(readFileSync(files[1] ?? '', 'utf8'));
  assert.equal(sequence.name, 'h3');
  assert.equal(sequence.connections[0].steps[0].says[0].name, 'ClientHello');
  const { document } = parseHTML(readFileSync(out, 'utf8'));
  assert.equal(document.querySelectorAll('svg.chart').length, 4);
  assert.match(document.querySelector('main')?.textContent ?? '', /2 loads of 2 have these steps/);
});

/** Words of a chart that overlap by more than a hair. */
async function overlapping(page: Page): Promise<string[]> {
  return page.$$eval('svg.chart', (charts) =>
    charts.flatMap((chart) => {
      const words = [...chart.querySelectorAll('text')].map((text) => ({
        text: text.textContent ?? '',
        box: text.getBoundingClientRect(),
      }));
      return words.flatMap((one, at) =>
        words
          .slice(at + 1)
          .filter(
            ({ box }) =>
              Math.min(one.box.right, box.right) - Math.max(one.box.left, box.left) > 2 &&
              Math.min(one.box.bottom, box.bottom) - Math.max(one.box.top, box.top) > 4,
          )
          .map(({ text }) => `${one.text} / ${text}`),
      );
    }),
  );
}

test('renders its page without complaints, fetches, axe findings and overlapping words', async (t) => {
  const out = path.join(temporaryFolder(t), 'packets.html');
  await writeFlowPage(CAPTURES, out);
  await inBothThemes(t, out, async ({ page, complaints, requests }) => {
    assert.deepEqual(await overlapping(page), []);
    await openAll(page);
    assert.deepEqual(await violationsOf(page), []);
    assert.deepEqual(complaints, []);
    assert.deepEqual(
      requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:')),
      [],
    );
    await page.setViewport({ width: 390, height: 800 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  });
});
