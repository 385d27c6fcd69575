import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runFolder } from '../../ground/records/run-folder.ts';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import project from '../../package.json' with { type: 'json' };
import { summarise } from '../summary/summary.ts';
import { madeRun, writeMadeRun } from './report/made-run.ts';
import { measureProgram } from './report/measured-program.ts';

/** What `npm run report` has node do. */
const [, ...REPORT] = project.scripts.report.split(' ');

const { values } = parseArgs({
  options: { loads: { type: 'string', default: '2500,5000,10000' } },
});
const sizes = values.loads.split(',').map(Number);
if (!sizes.every((loads) => Number.isInteger(loads) && loads > 0)) {
  throw new Error(`--loads ${values.loads}: expected whole numbers from 1, separated by commas`);
}

console.log(
  `npm run report on made-up runs of 30 sites, 3 stacks, 2 conditions; ${availableParallelism()} processors\n`,
);
printRow(['loads', 'wall s', 'CPU s', 'peak MB', 'report MB', 'summary MB', 'records MB']);
for (const loads of sizes) await measure(loads);

/** Makes a run, reports on it, prints what that took, and leaves nothing behind. */
async function measure(loads: number): Promise<void> {
  await withTemporaryFolder('logs', async (folder) => {
    const fixture = madeRun(loads);
    const { rows } = summarise(fixture.run, fixture.observations, fixture.calibrations);
    const medians = new Set(rows.flatMap((row) => row.loads?.median ?? []));
    await writeMadeRun(folder, fixture, medians);
    const { wallS, cpuS, peakRssMb } = await measureProgram([...REPORT, folder]);
    const files = runFolder(folder);
    printRow([
      fixture.observations.length.toLocaleString('en'),
      ...[wallS, cpuS].map((seconds) => seconds.toFixed(1)),
      peakRssMb.toFixed(0),
      ...(await Promise.all(
        [files.report, files.summaryJson, path.join(folder, fixture.run.recordFile)].map(
          async (file) => ((await stat(file)).size / 1e6).toFixed(2),
        ),
      )),
    ]);
  });
}

function printRow(cells: readonly string[]): void {
  console.log(cells.map((cell) => cell.padStart(11)).join(''));
}
