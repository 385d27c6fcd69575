import assert from 'node:assert/strict';
import path from 'node:path';
import type { ConnectDetails } from '../../../../ground/records/connection-attempt.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import { eachObservation } from '../../../../ground/records/read.ts';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import type { Internet } from '../../../../test/internet/internet.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { connect } from '../../experiment.ts';

export const PROGRAM = path.join(projectFolder, 'bin', 'quic-vs-https.ts');

export type Connection = Observation<ConnectDetails>;

interface Measured {
  status: number | null;
  output: string;
  out: string;
  attempts: Connection[];
}

/**
 * Connects to hosts of an internet, in one family of addresses after the other, and reads the
 * written results.
 */
export function withConnections(
  internet: Internet,
  words: readonly string[],
  use: (measured: Measured) => Promise<void>,
): Promise<void> {
  return withTemporaryFolder(async (folder) => {
    const out = path.join(folder, 'run');
    const { status, stdout, stderr } = await internet.run([
      ...[process.execPath, PROGRAM, 'connect', '--live', ...words],
      ...['--trust', internet.caFile, '--out', out],
    ]);
    const output = `${stdout}\n${stderr}`;
    assert.ok(status === 0 || status === 6, output);
    const attempts = (await Array.fromAsync(
      eachObservation(out, connect, () => {}),
    )) as Connection[];
    await use({ status, output, out, attempts });
  });
}
