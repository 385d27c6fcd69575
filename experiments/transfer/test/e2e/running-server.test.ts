import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { sizedSite } from '../../../../cache/sized-site.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import { EXIT } from '../../../../ground/system/exit-status.ts';
import { startMeasuring } from '../../../../test/e2e/command.ts';
import { assertNoUplinkLeft } from '../../../../test/e2e/left-behind.ts';
import { withRunning } from '../../../../test/e2e/running-servers.ts';
import { DUAL, LACKS_DUAL } from '../../../../test/e2e/stacks-by-protocol.ts';
import { assertOkButForMachine } from '../../../../test/e2e/whole-run.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import type { TransferDetails } from '../../records.ts';

const skip =
  LACKS_DUAL || (process.getuid?.() !== 0 && 'only root may make a device of the machine');
const BYTES = 300_000;
const HOST = 'files.example';

afterEach(assertNoUplinkLeft);

/** Passes on the port of a running server of a file, by both versions of HTTP. */
async function withFileServer(use: (port: number) => Promise<void>): Promise<void> {
  const folder = await sizedSite('300kB', BYTES);
  return withRunning(DUAL, { folder, host: HOST }, use);
}

describe('transfers by a running server', { skip }, () => {
  for (const direction of ['download', 'upload']) {
    test(`are measured with its processor time and the kernel's readings: ${direction}`, () =>
      withFileServer((port) =>
        withRun<Observation<TransferDetails>>(
          `transfer --server mine=https://localhost:${port} --size 300kB --rtt 20 --down 10000
           --repetitions 2 --seed 1 ${direction === 'upload' ? '--upload' : ''}`,
          ({ observations }) => {
            const ok = observations.filter(({ outcome }) => outcome === 'ok');
            assert.deepEqual([...new Set(ok.map(({ arm }) => arm))].toSorted(), [
              'mine-h2',
              'mine-h3',
            ]);
            for (const { id, arm, metrics, details } of ok) {
              assert.ok((metrics.serverCpuMs ?? 0) > 0, `${id}: server's processor time`);
              assert.equal(details?.bodyBytes, BYTES, id);
              const windows = details?.series.map(({ cwndBytes }) => cwndBytes) ?? [];
              const isKnown = windows.some((each) => (each ?? 0) > 0);
              assert.equal(isKnown, arm === 'mine-h2' || direction === 'upload', id);
            }
          },
          assertOkButForMachine,
        ),
      ));
  }

  test('are explained by the packets of the path over QUIC', () =>
    withFileServer((port) =>
      withRun<Observation<TransferDetails>>(
        `transfer --server mine=https://localhost:${port} --size 300kB --rtt 60
         --stream-window 20kB --explain --repetitions 1`,
        ({ observations }) => {
          const quic = observations.find(({ arm, warmup }) => arm === 'mine-h3' && !warmup);
          const { limitInRepetition, explains } = quic?.details ?? {};
          assert.equal(limitInRepetition?.limit, 'stream window', limitInRepetition?.because);
          assert.equal(limitInRepetition?.packets, 'with keys');
          assert.equal(explains?.relaxedMs.length, 3);
        },
        assertOkButForMachine,
      ),
    ));

  test('are refused before the run if its file has another size', () =>
    withFileServer((port) =>
      withTemporaryFolder(async (out) => {
        const words = `transfer --server mine=https://localhost:${port} --size 10kB --rtt 0 --repetitions 1`;
        const run = startMeasuring(words, out);
        assert.equal(await run.ended, EXIT.server, run.output());
        assert.match(
          run.output(),
          /mine-h3 at .* Expected https:\/\/files\.example\/file with status 200 and 10000 bytes, got 200 and 300000 bytes/,
        );
      }),
    ));
});
