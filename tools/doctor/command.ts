import { EXIT } from '../../ground/system/exit-status.ts';
import { printStyled } from '../../ground/system/printed.mjs';
import { CHECK_GROUPS } from './checks/index.ts';
import { examine } from './examine.ts';
import { screenOptions } from './screen.ts';

/** Examines this machine and prints what it finds. Answers the exit status. */
export async function doctorCommand(): Promise<number> {
  const results = await examine(CHECK_GROUPS, printStyled, screenOptions());
  return results.some(({ status }) => status === 'lack') ? EXIT.machine : EXIT.ok;
}
