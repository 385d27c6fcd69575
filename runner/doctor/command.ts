import { EXIT } from '../../system/exit-status.ts';
import { CHECK_GROUPS } from './checks/index.ts';
import { examine } from './examine.ts';

const DEFAULT_COLUMNS = 100;

/** Examines this machine and prints what it finds. Answers the exit status. */
export async function doctorCommand(): Promise<number> {
  const results = await examine(CHECK_GROUPS, console.log, {
    widthColumns: process.stdout.columns ?? DEFAULT_COLUMNS,
    colours: process.stdout.isTTY === true && !process.env.NO_COLOR,
  });
  return results.some(({ status }) => status === 'lack') ? EXIT.machine : EXIT.ok;
}
