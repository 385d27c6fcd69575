import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ladderFolder } from '../records/ladder.ts';
import { DamagedRunError } from '../records/read.ts';
import { runFolder } from '../records/run-folder.ts';
import { EXIT } from '../system/exit-status.ts';
import { type AnalysisChoice, AnalysisChoiceError } from './analysis-used.ts';
import { CommandLineError, runCommand } from './command.ts';
import { CompareError } from './compare/compare-runs.ts';
import { comparisonText } from './compare/comparison-text.ts';
import { writeComparison } from './compare/write.ts';
import { ladderText } from './ladder/ladder-text.ts';
import { writeLadder } from './ladder/write.ts';
import { summaryTable } from './text-table.ts';
import { writeReport } from './write.ts';

const DEFAULT_FOLDER = 'results/latest';

const { columns } = process.stdout;

const HELP = `Writes summary.json, summary.csv and report.html of a run again, from its records and HARs alone.

Usage: npm run report -- [DIR] [--baseline STACK] [--margin PERCENT] [--metric METRIC]
       npm run report -- --compare DIR1 DIR2 [--out DIR] [--baseline STACK] [--margin PERCENT]
                     [--metric METRIC]

  DIR                folder of a run, or of a ladder (default: ${DEFAULT_FOLDER})
  --compare          write compare.html and compare.json instead: two runs side by side
  --out DIR          folder for these two (default: results/compare-<first run>-<second run>)
  --baseline STACK   compare with this stack, not with the one that the run was planned with
  --margin PERCENT   call two stacks the same within this margin, not within the planned one
  --metric METRIC    let verdicts be about page-load (page load time) or document (document time), not about the planned one
  --help             show this

What is chosen here is chosen after the run, and the report says so.
`;

process.exitCode = await runCommand<Order>(process.argv.slice(2), {
  help: HELP,
  read,
  async carryOut(order) {
    process.stdout.write(await written(order));
    return EXIT.ok;
  },
  expected: [DamagedRunError, AnalysisChoiceError, CompareError],
  failure({ folders }) {
    const what = folders.length === 2 ? 'comparison' : 'report';
    return `No ${what} can be made of ${folders.join(' and ')}`;
  },
});

/** Writes what was asked for; gives what the terminal shows of it. */
async function written({ folders, out, choice }: Order): Promise<string> {
  const [folder, second] = folders.map((each) => path.resolve(each));
  if (folder !== undefined && second !== undefined) {
    const { comparison, page } = await writeComparison([folder, second], out, choice);
    return `${comparisonText(comparison, columns)}\nComparison: ${page}\n`;
  }
  const only = folder ?? path.resolve(DEFAULT_FOLDER);
  if (existsSync(ladderFolder(only).ladder)) return ladderWritten(only, choice);
  return `${summaryTable(await writeReport(only, choice), columns)}\nReport: ${runFolder(only).report}\n`;
}

/** A ladder's rungs are what they are: whatever is chosen would make them others. */
async function ladderWritten(folder: string, choice: AnalysisChoice): Promise<string> {
  const [chosen] = Object.keys(choice);
  if (chosen !== undefined) {
    throw new AnalysisChoiceError(
      'it holds a ladder, whose rungs have their own baseline, margin and metric. Leave these options out.',
    );
  }
  return `${ladderText(await writeLadder(folder), columns)}\nLadder: ${ladderFolder(folder).page}\n`;
}

/** What is to be written: the report of one folder, or the comparison of two. */
interface Order {
  folders: string[];
  /** Of a comparison; null: where comparisons lie. */
  out: string | null;
  choice: AnalysisChoice;
}

function read(words: string[]): Order | null {
  const { values, positionals } = parseArgs({
    args: words,
    options: {
      baseline: { type: 'string' },
      margin: { type: 'string' },
      metric: { type: 'string' },
      compare: { type: 'boolean' },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  });
  const { baseline, margin, metric, out, compare = false, help = false } = values;
  if (help) return null;
  const problem = problemWith(positionals, compare, out);
  if (problem !== null) throw new CommandLineError(problem);
  // Number('') would be 0; what is not a number is refused with the margin's other problems.
  const marginPercent = margin === undefined ? undefined : Number(margin.trim() || Number.NaN);
  return {
    folders: compare ? positionals : [positionals[0] || DEFAULT_FOLDER],
    out: out ?? null,
    choice: {
      ...(baseline !== undefined && { baseline }),
      ...(marginPercent !== undefined && { marginPercent }),
      ...(metric !== undefined && { metric }),
    },
  };
}

function problemWith(folders: readonly string[], compare: boolean, out: string | undefined) {
  const got = `got ${folders.length}${folders.length > 0 ? `: ${folders.join(', ')}` : ''}`;
  if (compare) {
    if (folders.length !== 2 || folders.includes('')) {
      return `--compare: expected the folders of two runs, ${got}`;
    }
    return out === '' ? '--out: expected a folder, got nothing' : null;
  }
  if (out !== undefined)
    return '--out goes with --compare: a report stays in the folder of its run';
  return folders.length > 1 ? `Expected one folder, ${got}` : null;
}
