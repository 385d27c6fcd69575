import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { sizedSite } from '../../../../cache/sized-site.ts';
import { assertNoUplinkLeft } from '../../../../test/e2e/left-behind.ts';
import { withRunning } from '../../../../test/e2e/running-servers.ts';
import { DUAL, LACKS_DUAL } from '../../../../test/e2e/stacks-by-protocol.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';
import { BOTTLENECK, type SharedRow } from './sharing.ts';

const skip =
  LACKS_DUAL || (process.getuid?.() !== 0 && 'only root may make a device of the machine');
const FILE_BYTES = 100_000_000;

afterEach(assertNoUplinkLeft);

describe('flows of a running server', { skip }, () => {
  test('share a bottleneck with each other, with the round trips that the kernel measured', async () => {
    const folder = await sizedSite('100MB', FILE_BYTES);
    await withRunning(DUAL, { folder, host: 'files.example' }, (port) =>
      withRun<SharedRow>(
        `${BOTTLENECK.join(' ')} --server mine=https://localhost:${port} --duration 5 --repetitions 1 --seed 1`,
        ({ observations }) => {
          const ok = observations.filter(({ outcome }) => outcome === 'ok');
          for (const { id, arm, metrics } of ok) {
            assert.ok((metrics.goodputKbps ?? 0) > 0, id);
            const rttMs = metrics.rttMs ?? null;
            if (arm === 'mine-h2') assert.ok((rttMs ?? 0) >= 30, `${id}: ${rttMs}`);
            else assert.equal(rttMs, null, id);
          }
        },
      ),
    );
  });
});
