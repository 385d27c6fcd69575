import { sandboxWarning } from '../../../clients/chromium/sandbox.ts';
import { EXIT } from '../../../ground/system/exit-status.ts';
import { printable } from '../../../ground/system/printed.mjs';
import { readMachine } from '../../../runner/machine.ts';
import { resultText, screenOptions } from '../screen.ts';
import { examineOrigin, type OriginAnswers } from './answers.ts';
import { browserSteps, machineSteps } from './browser-steps.ts';
import { isHttp3, MODES, type Mode } from './chromium.ts';
import { discoverySteps } from './discovery-steps.ts';
import { readOrigin } from './origin.ts';
import { quicSteps } from './quic-steps.ts';
import type { Step } from './step.ts';
import { tcpSteps } from './tcp-steps.ts';

interface Http3Dependencies {
  /** IP address to connect to; null: resolve the name. */
  resolve: string | null;
  print: (text: string) => void;
  say: (text: string) => void;
  signal: AbortSignal;
}

/**
 * Explains why Chromium does not speak HTTP/3 to a server, if it does not. Returns the exit status.
 * @throws UsageError if the text names no server
 */
export async function http3Command(
  text: string,
  { resolve, print, say, signal }: Http3Dependencies,
): Promise<number> {
  const origin = readOrigin(text, resolve);
  const machine = readMachine();
  const warning = sandboxWarning(machine.chromium);
  if (warning !== null) say(warning);
  say(
    `Checking ${origin.url}, and loading it in Chromium with its scripts: this takes up to a minute.`,
  );
  const { groups, verdict, speaks } = diagnose(await examineOrigin(origin, machine, signal));
  const screen = screenOptions();
  for (const { title, steps } of groups) {
    print(printable(title));
    for (const step of steps) print(resultText(step, screen));
  }
  print(`\n${printable(verdict)}`);
  return speaks ? EXIT.ok : EXIT.server;
}

interface Diagnosis {
  groups: { title: string; steps: Step[] }[];
  /** The last line. */
  verdict: string;
  /** Whether unmodified Chromium speaks HTTP/3 to it. */
  speaks: boolean;
}

/** The findings of each step, and why Chromium does not speak HTTP/3. Chromium's behaviour overrides findings of other clients. */
export function diagnose(answers: OriginAnswers): Diagnosis {
  const proven = MODES.findIndex((way) => isHttp3(answers.loads[way]));
  const isDisproved = ({ status, disprovedBy }: Step) =>
    status === 'lack' && proven >= 0 && proven <= MODES.indexOf(disprovedBy);
  const groups = [
    { title: 'This machine', steps: machineSteps(answers) },
    { title: 'Over TCP', steps: tcpSteps(answers) },
    { title: 'Over UDP', steps: quicSteps(answers) },
    { title: 'How Chromium comes to HTTP/3', steps: discoverySteps(answers) },
    { title: 'Chromium', steps: browserSteps(answers) },
  ]
    .filter(({ steps }) => steps.length > 0)
    .map(({ title, steps }) => ({
      title,
      steps: steps.map((step) =>
        isDisproved(step) ? ({ ...step, status: 'note' } as const) : step,
      ),
    }));
  const lacks = groups.flatMap(({ steps }) => steps.filter(({ status }) => status === 'lack'));
  const speaks = proven === 0;
  return { groups, speaks, verdict: speaks ? SPEAKS : refusal(answers, lacks) };
}

const SPEAKS = 'Chromium speaks HTTP/3 to it.';

function refusal(answers: OriginAnswers, [first, ...further]: readonly Step[]): string {
  if (first === undefined) {
    const asIs = browserSteps(answers)[MODES.indexOf('as-is' satisfies Mode)];
    return `Chromium does not speak HTTP/3 to it, for no reason found above. Chromium’s result: ${asIs?.found}.`;
  }
  const more =
    further.length === 0 ? '' : ` After that: ${further.map(({ name }) => name).join(', ')}.`;
  return `Chromium does not speak HTTP/3 to it, because: ${first.found}. What to do: ${first.remedy}.${more}`;
}
