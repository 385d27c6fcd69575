import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readRun } from '../../ground/records/read.ts';
import { readMachine } from '../../runner/machine.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { readHar } from './hars.ts';
import { assertStatusOf } from './whole-run.ts';
import { runToEnd } from './with-run.ts';

const REPETITIONS = 2;
const USER_AGENT = 'AnotherBrowser/1.0';

test('loads pages in two browsers in the same blocks, each arm by its own binary', () =>
  withTemporaryFolder(async (temporary) => {
    const binary = path.join(temporary, 'chrome');
    const command = `exec ${readMachine().chromium} --user-agent=${USER_AGENT} "$@"`;
    await writeFile(binary, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    const { out, status, output, observations } = await runToEnd(
      `benchmark --sites www.example.org --rtt 20 --stacks lsquic-h3,bun-h2
       --browser chromium,other@${binary} --repetitions ${REPETITIONS}`,
      path.join(temporary, 'run'),
    );
    assertStatusOf(observations, status, output);

    const { arms, versions } = await readRun(out);
    assert.deepEqual(
      arms.map(({ arm, stack, client, comparedWith }) => [arm, stack, client, comparedWith]),
      [
        ['lsquic-h3', 'lsquic-h3', 'chromium', undefined],
        ['bun-h2', 'bun-h2', 'chromium', undefined],
        ['lsquic-h3~other', 'lsquic-h3', 'other', 'bun-h2~other'],
        ['bun-h2~other', 'bun-h2', 'other', undefined],
      ],
    );
    assert.match(versions.other ?? '', /^\d+\.\d+\.\d+\.\d+$/);
    assert.ok(versions.chromium?.startsWith(versions.other ?? 'none'));

    for (const load of observations) {
      const [entry] = readHar(out, load).log.entries;
      const isOther = load.arm.endsWith('~other');
      const agent = entry?.request.headers.find(({ name }) => /^user-agent$/i.test(name))?.value;
      assert.equal(agent === USER_AGENT, isOther, `${load.id}: ${agent}`);
      assert.equal(entry?.response.httpVersion, load.arm.startsWith('lsquic-h3') ? 'h3' : 'h2');
    }
    for (let block = 1; block <= REPETITIONS; block += 1) {
      const own = observations.filter((load) => load.block === block).map(({ arm }) => arm);
      assert.deepEqual(own.toSorted(), arms.map(({ arm }) => arm).toSorted());
    }

    const summary = JSON.parse(await readFile(path.join(out, 'summary.json'), 'utf8'));
    assert.deepEqual(pairsIn(summary.primary), [
      'lsquic-h3 bun-h2',
      'lsquic-h3~other bun-h2~other',
      'bun-h2~other bun-h2',
    ]);
    assert.deepEqual(pairsIn(summary.conditionChanges), [
      'lsquic-h3 null',
      'bun-h2 null',
      'lsquic-h3 bun-h2',
    ]);
  }));

function pairsIn(answers: readonly { arm: string; baseline: string | null }[]): string[] {
  return answers.map(({ arm, baseline }) => `${arm} ${baseline}`);
}
