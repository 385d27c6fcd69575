import { existsSync } from 'node:fs';
import { DamagedSiteError } from '../cache/manifest.ts';
import { runFolder } from '../records/run-folder.ts';
import { summaryTable } from '../report/text-table.ts';
import { writeReport } from '../report/write.ts';
import { measureRun, prepareRun } from './benchmark.ts';
import { BenchmarkError, EXIT } from './errors.ts';
import { interruptSignal } from './interrupt.ts';
import { HELP, readOptions } from './options.ts';

/** The command line of `npm run benchmark`: measure, then report whatever was measured. */
async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options === null) {
    console.log(HELP);
    return EXIT.ok;
  }
  const signal = interruptSignal();
  const run = await prepareRun(options, args);
  try {
    const { failed, invalid } = await measureRun(run, signal);
    return failed + invalid > 0 ? EXIT.someLoadsNotOk : EXIT.ok;
  } finally {
    // Also after an interruption or a failed server: what was measured is kept and can be read.
    await report(run.folder);
  }
}

async function report(folder: string): Promise<void> {
  const files = runFolder(folder);
  // Nothing was measured when the path could not even be made.
  if (!existsSync(files.run)) return;
  const summary = await writeReport(folder);
  console.log(summaryTable(summary));
  console.log(`Report: ${files.report}`);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof BenchmarkError) {
    console.error(`\n${error.message}`);
    process.exitCode = error.exitStatus;
  } else if (error instanceof DamagedSiteError) {
    console.error(`\n${error.message}`);
    process.exitCode = EXIT.usage;
  } else {
    console.error('\nThis is a bug in quic-vs-https; please report it with this message:\n', error);
    process.exitCode = EXIT.bug;
  }
}
