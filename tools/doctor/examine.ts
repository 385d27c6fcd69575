import type { CheckGroup, CheckResult } from '../../ground/host/check.ts';
import { runCheck } from '../../ground/host/check.ts';
import { printable } from '../../ground/system/printed.mjs';
import { resultText, type ScreenOptions, verdictText } from './screen.ts';

/** Runs every check, one after the other, and shows each as soon as it is known. */
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
