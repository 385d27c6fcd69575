import { EXIT } from '../../system/exit-status.ts';
import { CHECK_GROUPS } from './checks/index.ts';
import { examine } from './examine.ts';

const DEFAULT_COLUMNS = 100;

const HELP = `npm run doctor

Says on one screen what this machine can do, and what to do about each lack.
Exit status: ${EXIT.ok} when the benchmark can run, ${EXIT.machine} when it cannot.`;

/** The command line of `npm run doctor`. */
async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(HELP);
    return EXIT.ok;
  }
  if (args.length > 0) {
    console.error(`Unknown option ${args[0]}. The doctor has no options but --help.`);
    return EXIT.usage;
  }
  const results = await examine(CHECK_GROUPS, console.log, {
    widthColumns: process.stdout.columns ?? DEFAULT_COLUMNS,
    colours: process.stdout.isTTY === true && !process.env.NO_COLOR,
  });
  return results.some(({ status }) => status === 'lack') ? EXIT.machine : EXIT.ok;
}

process.exitCode = await main(process.argv.slice(2));
