import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readTcpSamples } from '../../../../ground/records/tcp-sample.ts';
import { tcpWindows } from '../../../../packets/windows/load-windows.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const sample = (ns: number, client: string, cwndBytes: number) => ({
  s: 1_795_000_000,
  ns,
  client,
  cwndBytes,
  inFlightBytes: 7,
  rttMs: 30.5,
});

test('makes a series for each connection, with times since the load began', async (t) => {
  const file = path.join(temporaryFolder(t), 'a.jsonl.gz');
  // Written in parts, as large numbers of them are.
  const parts = [
    [sample(5e6, '10.89.0.1:4000', 10), sample(5e6, '10.89.0.1:4001', 20)],
    [sample(10e6, '10.89.0.1:4000', 11)],
  ].map((lines) => gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
  writeFileSync(file, Buffer.concat(parts));
  const point = { inFlightBytes: 7, rttMs: 30.5 };
  assert.deepEqual(await tcpWindows(readTcpSamples(file), 1_795_000_000_002), [
    {
      name: 'port 4000',
      points: [
        { atMs: 3, cwndBytes: 10, ...point },
        { atMs: 8, cwndBytes: 11, ...point },
      ],
    },
    { name: 'port 4001', points: [{ atMs: 3, cwndBytes: 20, ...point }] },
  ]);
});

test('rejects a missing or truncated file of samples, and names it', async (t) => {
  const folder = temporaryFolder(t);
  const missing = path.join(folder, 'missing.jsonl.gz');
  await assert.rejects(tcpWindows(readTcpSamples(missing), 0), /missing\.jsonl\.gz cannot be read/);
  const cut = path.join(folder, 'cut.jsonl.gz');
  const whole = gzipSync(`${JSON.stringify(sample(0, 'a:1', 1))}\n`.repeat(1000));
  writeFileSync(cut, whole.subarray(0, whole.length - 20));
  await assert.rejects(tcpWindows(readTcpSamples(cut), 0), /cut\.jsonl\.gz cannot be read/);
});
