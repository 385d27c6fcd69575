import { type CheckGroup, type CheckResult, runCheck } from '../../ground/host/check.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { printable, printStyled } from '../../ground/system/printed.mjs';
import { CHECK_GROUPS } from './checks/index.ts';
import { resultText, type ScreenOptions, screenOptions, verdictText } from './screen.ts';

export async function doctorCommand(): Promise<number> {
  const results = await examine(CHECK_GROUPS, printStyled, screenOptions());
  return results.some(({ status }) => status === 'lack') ? EXIT.machine : EXIT.ok;
}

export async function examine(
  groups: readonly CheckGroup[],
  show: (text: string) => void,
  screen: ScreenOptions,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { title, checks } of groups) {
    show(printable(title));
    for (const check of checks) {
      const result = await runCheck(check);
      results.push(result);
      show(resultText(result, screen));
    }
  }
  show(`\n${printable(verdictText(results))}`);
  return results;
}
