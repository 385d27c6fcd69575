import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { assertAsRecorded, fieldsIn } from '../../../../test/e2e/recorded-packets.ts';
import { withRun } from '../../../../test/e2e/with-run.ts';
import { readCapture } from '../../../../test/pcapng.ts';

test('captures and decrypts packets of warm-ups alone with --packets warm-ups', () =>
  withRun(
    `connect --sites www.example.org --stacks lsquic-h3,bun-h2 --rtt 10 --repetitions 1
      --packets warm-ups`,
    async ({ out, observations }) => {
      assert.equal(observations.length, 4);
      for (const attempt of observations) {
        const { id, warmup, files } = attempt;
        assert.equal('packets' in files, warmup, id);
        if (!warmup) continue;
        const file = path.join(out, files.packets ?? '');
        await assertAsRecorded(file, attempt);
        // The end of both sides' handshakes, which cannot be read without keys.
        const finished = fieldsIn(file, 'tls.handshake.type == 20', 'ip.src_host').flat();
        assert.deepEqual(new Set(finished), new Set(['client', 'www.example.org']), id);
        assert.ok(!/missing/.test(readCapture(await readFile(file)).comment));
      }
    },
  ));
