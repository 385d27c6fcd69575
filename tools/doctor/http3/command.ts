import { sandboxWarning } from '../../../clients/chromium/sandbox.ts';
import { EXIT } from '../../../ground/system/exit-status.ts';
import { printable } from '../../../ground/system/printed.mjs';
import { readMachine } from '../../../runner/machine.ts';
import { resultText, screenOptions } from '../screen.ts';
import { askOrigin } from './answers.ts';
import { judge } from './judge.ts';
import { readOrigin } from './origin.ts';

/** How it is asked, and where answers are shown. */
export interface Surroundings {
  /** The address to ask; null: those of the name. */
  resolve: string | null;
  print: (text: string) => void;
  /** Says what is being done. */
  say: (text: string) => void;
  signal: AbortSignal;
}

/**
 * Tells why Chromium does not speak HTTP/3 to a server, if it does not. Answers the exit status.
 * @throws UsageError when the text names no server
 */
export async function http3Command(
  text: string,
  { resolve, print, say, signal }: Surroundings,
): Promise<number> {
  const origin = readOrigin(text, resolve);
  const machine = readMachine();
  const warning = sandboxWarning(machine.chromium);
  if (warning !== null) say(warning);
  say(
    `Asking ${origin.url}, and loading it in Chromium with its scripts: this takes up to a minute.`,
  );
  const { groups, verdict, speaks } = judge(await askOrigin(origin, machine, signal));
  const screen = screenOptions();
  for (const { title, steps } of groups) {
    print(printable(title));
    for (const step of steps) print(resultText(step, screen));
  }
  print(`\n${printable(verdict)}`);
  return speaks ? EXIT.ok : EXIT.server;
}
