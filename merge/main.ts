import path from 'node:path';
import { parseArgs } from 'node:util';
import { DamagedRunError } from '../records/read.ts';
import { runFolder } from '../records/run-folder.ts';
import { counted } from '../report/number-text.ts';
import { summaryTable } from '../report/text-table.ts';
import { writeReport } from '../report/write.ts';
import { MergeError } from './errors.ts';
import { mergeRuns } from './merge.ts';

const HELP = `Joins the parts of one run, done by several machines or workers, into a new folder, and writes its report.

Usage: npm run merge -- DIR DIR... --out DIR

  DIR        folders of the parts: of the same plan, with no load in common; loads that no part has are counted as not made
  --out DIR  the new folder; nothing in the others is changed
  --help     show this
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
  try {
    const out = path.resolve(asked.out);
    const { loads, machines, notes } = await mergeRuns(asked.folders, out);
    for (const note of notes) process.stderr.write(`${note}\n`);
    process.stdout.write(
      `Joined ${counted(loads, 'load')} of ${counted(asked.folders.length, 'folder')} and ${counted(machines.length, 'machine')}: ${out}\n`,
    );
    const summary = await writeReport(out);
    process.stdout.write(`${summaryTable(summary)}\nReport: ${runFolder(out).report}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof MergeError || error instanceof DamagedRunError)) throw error;
    process.stderr.write(`Nothing was merged: ${error.message}\n`);
    return 2;
  }
}

type Asked = { folders: string[]; out: string; help: boolean } | { problem: string };

function parse(words: string[]): Asked {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: { out: { type: 'string' }, help: { type: 'boolean' } },
      allowPositionals: true,
    });
    const { out = '', help = false } = values;
    if (!help && out === '') return { problem: 'Expected --out DIR, the folder to be made.' };
    if (!help && positionals.length < 2) {
      return { problem: `Expected the folders of at least two parts, got ${positionals.length}.` };
    }
    return { folders: positionals, out, help };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
