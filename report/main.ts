import path from 'node:path';
import { parseArgs } from 'node:util';
import { DamagedRunError } from '../records/read.ts';
import { runFolder } from '../records/run-folder.ts';
import { type AnalysisChoice, AnalysisChoiceError } from './analysis-used.ts';
import { summaryTable } from './text-table.ts';
import { writeReport } from './write.ts';

const DEFAULT_FOLDER = 'results/latest';

const HELP = `Writes summary.json, summary.csv and report.html of a run again, from its run.json, page-loads.jsonl and calibrations.jsonl alone.

Usage: npm run report -- [DIR] [--baseline STACK] [--margin PERCENT]

  DIR                folder of a run (default: ${DEFAULT_FOLDER})
  --baseline STACK   compare with this stack, not with the one that the run was planned with
  --margin PERCENT   call two stacks the same within this margin, not within the planned one
  --help             show this

What is chosen here is chosen after the run, and the report says so.
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
    const summary = await writeReport(folder, asked.choice);
    process.stdout.write(`${summaryTable(summary)}\nReport: ${runFolder(folder).report}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof DamagedRunError || error instanceof AnalysisChoiceError)) throw error;
    process.stderr.write(`No report can be made of ${asked.folder}: ${error.message}\n`);
    return 2;
  }
}

type Asked = { folder: string; choice: AnalysisChoice; help: boolean } | { problem: string };

function parse(words: string[]): Asked {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: {
        baseline: { type: 'string' },
        margin: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    });
    if (positionals.length > 1) {
      return {
        problem: `Expected one folder, got ${positionals.length}: ${positionals.join(', ')}`,
      };
    }
    const { baseline, margin, help = false } = values;
    // Number('') would be 0; what is not a number is refused with the margin's other problems.
    const marginPercent = margin === undefined ? undefined : Number(margin.trim() || Number.NaN);
    return {
      folder: positionals[0] || DEFAULT_FOLDER,
      choice: {
        ...(baseline !== undefined && { baseline }),
        ...(marginPercent !== undefined && { marginPercent }),
      },
      help,
    };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
