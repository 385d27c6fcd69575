import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import { writeTcpInfo } from '../../../experiments/tcp-info.ts';
import { CHOICES } from '../../e2e/choices.ts';
import { fixtureRun } from '../report/fixture-run.ts';

/** Files and warnings of a load over a protocol. */
async function write(
  protocol: 'h2' | 'h3',
  { tcpInfoMs = 5 as number | null, missed = 0, save = async () => {} } = {},
) {
  const [trial] = fixtureRun().run.trials;
  assert.ok(trial);
  const warnings: string[] = [];
  const files = await writeTcpInfo(
    trial,
    pageLoad,
    { stack: { stack: trial.arm, protocol } },
    {
      choices: { ...CHOICES, tcpInfoMs },
      path: { writeTcpInfo: async () => ({ missed }) },
      results: {
        async writeTcpInfo(id, add) {
          await add('unfinished');
          await save();
          return `tcp-info/${id}.jsonl.gz`;
        },
      },
      warn: (sentence) => void warnings.push(sentence),
    },
  );
  return { files, warnings, id: trial.id };
}

test('writes a file of samples only for loads over TCP with sampling', async () => {
  const { files, warnings, id } = await write('h2');
  assert.deepEqual([files, warnings], [{ tcpInfo: `tcp-info/${id}.jsonl.gz` }, []]);
  assert.deepEqual((await write('h3')).files, {});
  assert.deepEqual((await write('h2', { tcpInfoMs: null })).files, {});
});

test('warns of missing samples and failed writes, with the load', async () => {
  const { files, warnings } = await write('h2', { missed: 7 });
  assert.ok(files.tcpInfo);
  assert.match(warnings.join(), /^TCP_INFO of .+ is incomplete: .* 7 samples\.$/);
  const full = await write('h2', { save: () => Promise.reject(new Error('No space left')) });
  assert.deepEqual(full.files, {});
  assert.match(full.warnings.join(), /^No TCP_INFO of .+ could be written: No space left$/);
});
