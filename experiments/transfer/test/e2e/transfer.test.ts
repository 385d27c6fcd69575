import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Observation } from '../../../../ground/records/observation.ts';
import { readRun } from '../../../../ground/records/read.ts';
import { assertOkButForMachine } from '../../../../test/e2e/whole-run.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';
import { streamsName, type TransferDetails } from '../../records.ts';

type TransferRow = Observation<TransferDetails>;

/** Runs the command, and passes on every row of it, warm-ups too. */
function withTransfers(
  words: string,
  use: (rows: TransferRow[], out: string) => Promise<void> | void,
): Promise<void> {
  return withRun<TransferRow>(
    `transfer ${words} --seed 1`,
    async ({ out, observations }) => {
      const { trials } = await readRun(out);
      const ids = new Set(observations.map(({ id }) => id));
      for (const { id } of trials) assert.ok(ids.has(id), id);
      await use(observations, out);
    },
    assertOkButForMachine,
  );
}

/** The rows of a table of the run, by column. */
async function rowsOf(out: string, file: string): Promise<Record<string, string>[]> {
  const lines = (await readFile(path.join(out, file), 'utf8')).trimEnd().split('\n');
  const [names = [], ...rows] = lines.map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
}

const BYTES: Readonly<Record<string, number>> = { '10kB': 10_000, '300kB': 300_000 };

test('has a row for each size, stack and stream count, matching tables, and a report', () =>
  withTransfers(
    `--stacks lsquic-h3,bun-h2 --size 10kB,300kB --streams 1,2 --rtt 20 --down 10000
     --repetitions 2`,
    async (rows, out) => {
      const counted = rows.filter(({ warmup }) => !warmup);
      const kinds = Map.groupBy(counted, ({ subject, arm, factors }) =>
        [subject, arm, factors.streams].join(' '),
      );
      assert.equal(kinds.size, 8, [...kinds.keys()].join(', '));
      for (const [kind, own] of kinds) assert.equal(own.length, 2, kind);

      const table = await rowsOf(out, 'transfers.csv');
      assert.deepEqual(
        table.map(({ id }) => id),
        rows.map(({ id }) => id),
      );
      const steps = Map.groupBy(await rowsOf(out, 'series.csv'), ({ id }) => id);
      for (const [
        at,
        { id, arm, subject, factors, metrics, details, path: carried },
      ] of rows.entries()) {
        const bytes = BYTES[subject] ?? Number.NaN;
        assert.ok(details, id);
        assert.deepEqual(
          [details.bytes, details.bodyBytes, details.client],
          [bytes, bytes, 'bun'],
          id,
        );
        assert.equal(streamsName(details.streams), factors.streams, id);
        assert.equal(details.connections, 1, id);
        assert.ok(carried && carried.toClient.bytes > bytes, `${id}: ${carried?.toClient.bytes}`);
        const { connectMs, firstByteMs, totalMs, packets } = metrics;
        const times = [20, connectMs, firstByteMs, totalMs].map((each) => each ?? Number.NaN);
        // By QUIC a request goes with the end of the handshake, so a body is a round trip behind it, as by TCP.
        const what = `${id}: ${times}`;
        for (const [place, time] of times.entries())
          assert.ok(time >= (times[place - 1] ?? 0), what);
        // Counted from the beginning: a busy machine may report a connection late while its request
        // is in progress.
        assert.ok((firstByteMs ?? 0) >= 20 * (arm === 'lsquic-h3' ? 2 : 3) - 1, what);
        assert.ok((totalMs ?? 0) >= (8 * bytes) / 10_000, what);
        assert.equal(Number(table[at]?.total_ms), Math.round(1000 * (totalMs ?? 0)) / 1000, id);
        assert.equal(Number(table[at]?.packets), packets, id);
        const own = steps.get(id) ?? [];
        assert.equal(own.length, details.series.length, id);
        assert.equal(Number(own.at(-1)?.bytes), bytes, id);
      }
      const report = await readFile(path.join(out, 'report.html'), 'utf8');
      for (const word of ['Goodput', '300kB', '10kB']) assert.ok(report.includes(word), word);
    },
  ));

test('transfers by Chromium in both directions with many streams, over one connection by HTTP/2', async () => {
  for (const direction of ['download', 'upload'] as const) {
    const words = `--client chromium --stacks lsquic-h3,bun-h2 --size 300kB --streams 10 --rtt 20
        --repetitions 2 ${direction === 'upload' ? '--upload' : ''}`;
    await withTransfers(words, (rows) => {
      for (const { id, arm, details, metrics } of rows) {
        assert.ok(details, id);
        assert.deepEqual([details.client, details.direction], ['chromium', direction], id);
        const arrived = direction === 'upload' ? details.serverReceivedBytes : details.bodyBytes;
        assert.equal(arrived, 300_000, id);
        if (arm === 'lsquic-h3') assert.equal(details.connections, 1, id);
        const { connectMs, firstByteMs, totalMs } = metrics;
        const times = [connectMs, firstByteMs, totalMs].map((each) => each ?? Number.NaN);
        assert.deepEqual(
          times,
          times.toSorted((a, b) => a - b),
          `${id}: ${times}`,
        );
      }
    });
  }
});
