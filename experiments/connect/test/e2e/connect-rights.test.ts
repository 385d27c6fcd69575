import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { startMeasuring } from '../../../../test/e2e/command.ts';
import { assertWithoutRights, rightsWhile, user } from '../../../../test/e2e/program-rights.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';

const skip = user === null && 'only root drops rights, in a folder that all users can read';

test('runs no client that makes connections with such rights either', { skip }, () =>
  withTemporaryFolder(async (folder) => {
    const command = startMeasuring(
      'connect --sites www.example.org --stacks lsquic-h3,bun-h2 --rtt 0 --repetitions 3',
      path.join(folder, 'run'),
    );
    const all = await rightsWhile(command);
    assertWithoutRights(all);
    assert.ok(
      all.some(({ kind }) => kind === 'client'),
      command.output(),
    );
  }),
);
