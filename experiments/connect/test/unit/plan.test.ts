import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageError } from '../../../../ground/system/errors.ts';
import { prepareRun } from '../../../../runner/campaign/prepare.ts';
import { type CommandLine, readCommandLine } from '../../../../runner/command-line/command-line.ts';
import { optionsOf } from '../../../../runner/options.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { preparedOf } from '../../../../test/unit/runner/campaign/prepared-plan.ts';
import { fakeMachineState } from '../../../../test/unit/runner/fake-test-bed.ts';
import { connectionsOf } from '../../choices.ts';
import { connect } from '../../experiment.ts';

test("accepts only https and the subjects' own names in a plan of the live web", () =>
  withTemporaryFolder(async (folder) => {
    const words = ['--live', '--repetitions', '2', '--out', '/nowhere/run'];
    const options = optionsOf(
      readCommandLine(['connect', ...words, 'a.test', 'b.test:8443']) as CommandLine,
      connect,
      {},
    );
    const { record: plan } = await prepareRun(options, words, {
      readMachineState: fakeMachineState,
    });
    await preparedOf(folder, plan, [], connect);
    const urls = ['file:///etc/passwd', 'http://a.test/', '@/etc/passwd', 'https://other.test/'];
    for (const url of [...urls, 'https://a.test/path', 'https://x:y@a.test/', '']) {
      const subjects = plan.subjects.with(0, { ...plan.subjects[0], url } as never);
      await assert.rejects(
        preparedOf(folder, { ...plan, subjects }, [], connect),
        (error) => (error as UsageError).exitStatus === 2,
        url,
      );
    }
  }));

test('rejects a table of autonomous systems that cannot be read before the run, and none is needed to freeze a plan', async () => {
  const table = '/nowhere/ip2asn.tsv';
  const words = [
    '--live',
    'a.test',
    '--repetitions',
    '2',
    '--as-table',
    table,
    '--out',
    '/nowhere/run',
  ];
  const prepare = (...more: string[]) => {
    const options = optionsOf(
      readCommandLine(['connect', ...words, ...more]) as CommandLine,
      connect,
      {},
    );
    return prepareRun(options, words, { readMachineState: fakeMachineState });
  };
  await assert.rejects(prepare(), (error: UsageError) => {
    assert.match(error.message, /^--as-table \/nowhere\/ip2asn\.tsv cannot be read: no such file/);
    return error.exitStatus === 2;
  });
  const { record } = await prepare('--freeze', 'plan.json');
  assert.equal(connectionsOf(record)?.asTable, table);
});
