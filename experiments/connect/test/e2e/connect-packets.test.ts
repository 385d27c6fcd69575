import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readObservations } from '../../../../ground/records/read.ts';
import { startProgram } from '../../../../test/e2e/command.ts';
import { assertAsRecorded, fieldsIn } from '../../../../test/e2e/recorded-packets.ts';
import { assertStatusOf } from '../../../../test/e2e/whole-run.ts';
import { readCapture } from '../../../../test/pcapng.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { connect } from '../../experiment.ts';

test('packets of single connections are captured of warm-ups alone where that is asked for, and decrypted', () =>
  withTemporaryFolder(async (temporary) => {
    const out = path.join(temporary, 'run');
    const command = startProgram([
      ...['connect', '--sites', 'www.example.org', '--stacks', 'lsquic-h3,bun-h2'],
      ...['--rtt', '10', '--repetitions', '1', '--packets', 'warm-ups', '--out', out],
    ]);
    const status = await command.ended;
    const { observations } = await readObservations(out, connect);
    assertStatusOf(observations, status, command.output());
    assert.equal(observations.length, 4);
    for (const attempt of observations) {
      const { id, warmup, files } = attempt;
      assert.equal('packets' in files, warmup, id);
      if (!warmup) continue;
      const file = path.join(out, files.packets ?? '');
      await assertAsRecorded(file, attempt);
      // The end of both sides' handshakes, which nobody reads without keys.
      const finished = fieldsIn(file, 'tls.handshake.type == 20', 'ip.src_host').flat();
      assert.deepEqual(new Set(finished), new Set(['client', 'www.example.org']), id);
      assert.ok(!/missing/.test(readCapture(await readFile(file)).comment));
    }
  }));
