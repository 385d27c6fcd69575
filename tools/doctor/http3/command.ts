import { sandboxWarning } from '../../../clients/chromium/sandbox.ts';
import type { BrowserKind } from '../../../ground/browser-kind.ts';
import { EXIT } from '../../../ground/system/exit-status.ts';
import { printable } from '../../../ground/system/printed.mjs';
import { browserOfMachine, readMachine } from '../../../runner/machine.ts';
import { resultText, screenOptions } from '../screen.ts';
import { examineOrigin, type OriginAnswers } from './answers.ts';
import { browserSteps, machineSteps } from './browser-steps.ts';
import { WORDS } from './browser-words.ts';
import { isHttp3, MODES, type Mode } from './chromium.ts';
import { discoverySteps } from './discovery-steps.ts';
import { readOrigin } from './origin.ts';
import { quicSteps } from './quic-steps.ts';
import type { Step } from './step.ts';
import { tcpSteps } from './tcp-steps.ts';

interface Http3Dependencies {
  /** IP address to connect to; null: resolve the name. */
  resolve: string | null;
  browser: BrowserKind;
  /** PEM file of authorities that Firefox trusts; null: none. */
  trust: string | null;
  print: (text: string) => void;
  say: (text: string) => void;
  signal: AbortSignal;
}

/**
 * Explains why a browser does not speak HTTP/3 to a server, if it does not. Returns the exit status.
 * @throws UsageError if the text names no server
 */
export async function http3Command(
  text: string,
  { resolve, browser, trust, print, say, signal }: Http3Dependencies,
): Promise<number> {
  const origin = readOrigin(text, resolve);
  const machine = readMachine();
  const program = browserOfMachine(browser);
  const isChromium = browser === 'chromium';
  const warning = isChromium ? sandboxWarning(program) : null;
  if (warning !== null) say(warning);
  say(
    `Checking ${origin.url}, and ${isChromium ? 'loading it in Chromium with its scripts' : 'requesting it in Firefox'}: this takes up to a minute.`,
  );
  const examined = { kind: browser, program, authorities: trust };
  const { groups, verdict, speaks } = diagnose(
    await examineOrigin(origin, machine, examined, signal),
  );
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
  /** Whether the unmodified browser speaks HTTP/3 to it. */
  speaks: boolean;
}

/** The findings of each step, and why the browser does not speak HTTP/3. Its behaviour overrides findings of other clients. */
export function diagnose(answers: OriginAnswers): Diagnosis {
  const proven = MODES.findIndex((way) => isHttp3(answers.loads[way]));
  const isDisproved = ({ status, disprovedBy }: Step) =>
    status === 'lack' && proven >= 0 && proven <= MODES.indexOf(disprovedBy);
  const { name } = WORDS[answers.browser];
  const groups = [
    { title: 'This machine', steps: machineSteps(answers) },
    { title: 'Over TCP', steps: tcpSteps(answers) },
    { title: 'Over UDP', steps: quicSteps(answers) },
    { title: `How ${name} comes to HTTP/3`, steps: discoverySteps(answers) },
    { title: name, steps: browserSteps(answers) },
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
  return {
    groups,
    speaks,
    verdict: speaks ? `${name} speaks HTTP/3 to it.` : refusal(answers, lacks),
  };
}

function refusal(answers: OriginAnswers, [first, ...further]: readonly Step[]): string {
  const { name } = WORDS[answers.browser];
  const without = `${name} does not speak HTTP/3 to it`;
  if (first === undefined) {
    const asIs = browserSteps(answers)[MODES.indexOf('as-is' satisfies Mode)];
    return `${without}, for no reason found above. ${name}’s result: ${asIs?.found}.`;
  }
  const more =
    further.length === 0 ? '' : ` After that: ${further.map(({ name }) => name).join(', ')}.`;
  return `${without}, because: ${first.found}. What to do: ${first.remedy}.${more}`;
}
