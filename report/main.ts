import path from 'node:path';
import { parseArgs } from 'node:util';
import { DamagedRunError } from '../records/read.ts';
import { runFolder } from '../records/run-folder.ts';
import { summaryTable } from './text-table.ts';
import { writeReport } from './write.ts';

const DEFAULT_FOLDER = 'results/latest';

const HELP = `Writes summary.json, summary.csv and report.html of a run again, from its run.json, page-loads.jsonl and calibrations.jsonl alone.

Usage: npm run report -- [DIR]

  DIR      folder of a run (default: ${DEFAULT_FOLDER})
  --help   show this
`;

process.exitCode = await main(process.argv.slice(2));

/** Runs the command; gives its exit code. */
async function main(words: string[]): Promise<number> {
  const asked = parse(words);
  if ('problem' in asked) {
    process.stderr.write(`${asked.problem}\n\n${HELP}`);
    return 2;
  }
  if (asked.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const folder = path.resolve(asked.folder);
  try {
    const summary = await writeReport(folder);
    process.stdout.write(`${summaryTable(summary)}\nReport: ${runFolder(folder).report}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof DamagedRunError)) throw error;
    process.stderr.write(`No report can be made of ${asked.folder}: ${error.message}\n`);
    return 2;
  }
}

function parse(words: string[]): { folder: string; help: boolean } | { problem: string } {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: { help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
    if (positionals.length > 1) {
      return {
        problem: `Expected one folder, got ${positionals.length}: ${positionals.join(', ')}`,
      };
    }
    return { folder: positionals[0] || DEFAULT_FOLDER, help: values.help ?? false };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
