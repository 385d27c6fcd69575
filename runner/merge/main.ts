import path from 'node:path';
import { parseArgs } from 'node:util';
import { DamagedRunError, readRun } from '../../records/read.ts';
import { runFolder } from '../../records/run-folder.ts';
import { CommandLineError, runCommand } from '../../report/command.ts';
import {
  FailRuleError,
  failRuleFor,
  outcomeLines,
  outcomeOf,
  statusOf,
} from '../../report/fail-if.ts';
import { counted } from '../../report/number-text.ts';
import { wrapped } from '../../report/terminal-text.ts';
import { summaryTable } from '../../report/text-table.ts';
import { writeReport } from '../../report/write.ts';
import { EXIT } from '../../system/exit-status.ts';
import { MergeError } from './errors.ts';
import { mergeRuns } from './merge.ts';

const HELP = `Joins the parts of one run, done by several machines or workers, into a new folder, and writes its report.

Usage: npm run merge -- DIR DIR... --out DIR [--fail-if RULE]

  DIR             folders of the parts: of the same plan, with no load in common; loads that no part has are counted as not made
  --out DIR       the new folder; nothing in the others is changed
  --fail-if RULE  exit status ${EXIT.failIf} if that is so, ${EXIT.undecided} if it cannot be told: "lsquic-h3 slower than bun-h2 by 5%"
  --help          show this

Exit status: ${EXIT.ok} all loads ok, ${EXIT.usage} wrong usage or folders that are no parts of one run, ${EXIT.someLoadsNotOk} some loads failed or were invalid, and what
--fail-if asks for.
`;

process.exitCode = await runCommand<Order>(process.argv.slice(2), {
  help: HELP,
  read,
  carryOut,
  expected: [MergeError, DamagedRunError, FailRuleError],
  failure: () => 'Nothing was merged',
});

/** Which parts are to be joined, and where. */
interface Order {
  folders: string[];
  out: string;
  failIf: string | null;
}

async function carryOut(order: Order): Promise<number> {
  const out = path.resolve(order.out);
  const [first = ''] = order.folders;
  // Before anything is merged: a rule that is none is noticed at once.
  const rule = order.failIf === null ? null : failRuleFor(await readRun(first), order.failIf);
  const { loads, machines, notes } = await mergeRuns(order.folders, out);
  for (const note of notes) process.stderr.write(`${note}\n`);
  process.stdout.write(
    `Joined ${counted(loads, 'load')} of ${counted(order.folders.length, 'folder')} and ${counted(machines.length, 'machine')}: ${out}\n`,
  );
  const summary = await writeReport(out);
  const { columns } = process.stdout;
  process.stdout.write(`${summaryTable(summary, columns)}\nReport: ${runFolder(out).report}\n`);
  const ended = summary.ledger.entries.some(({ count }) => count > 0)
    ? EXIT.someLoadsNotOk
    : EXIT.ok;
  if (rule === null) return ended;
  const outcome = outcomeOf(rule, summary);
  for (const line of outcomeLines(rule, outcome)) {
    process.stdout.write(`${wrapped(line, columns)}\n`);
  }
  return statusOf(outcome) ?? ended;
}

function read(words: string[]): Order | null {
  const { values, positionals } = parseArgs({
    args: words,
    options: {
      out: { type: 'string' },
      'fail-if': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  });
  const { out = '', help = false } = values;
  if (help) return null;
  if (out === '') throw new CommandLineError('Expected --out DIR, the folder to be made.');
  if (positionals.length < 2) {
    throw new CommandLineError(
      `Expected the folders of at least two parts, got ${positionals.length}.`,
    );
  }
  return { folders: positionals, out, failIf: values['fail-if'] ?? null };
}
