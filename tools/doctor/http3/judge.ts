import type { OriginAnswers } from './answers.ts';
import { browserSteps, machineSteps } from './browser-steps.ts';
import { isHttp3, WAYS, type Way } from './chromium.ts';
import { discoverySteps } from './discovery-steps.ts';
import { quicSteps } from './quic-steps.ts';
import type { Step } from './step.ts';
import { tcpSteps } from './tcp-steps.ts';

/** What is said about an origin. */
export interface Judgement {
  groups: { title: string; steps: Step[] }[];
  /** The last line. */
  verdict: string;
  /** Whether Chromium, as it is, speaks HTTP/3 to it. */
  speaks: boolean;
}

/** Says of each step what was found, and why Chromium does not speak HTTP/3 if it does not. What Chromium did decides. */
export function judge(answers: OriginAnswers): Judgement {
  const proven = WAYS.findIndex((way) => isHttp3(answers.loads[way]));
  const isDisproved = ({ status, disprovedBy }: Step) =>
    status === 'lack' && proven >= 0 && proven <= WAYS.indexOf(disprovedBy);
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

function refusal(answers: OriginAnswers, [first, ...others]: readonly Step[]): string {
  if (first === undefined) {
    const asIs = browserSteps(answers)[WAYS.indexOf('as-is' satisfies Way)];
    return `Chromium does not speak HTTP/3 to it, and nothing above says why. What it did: ${asIs?.found}.`;
  }
  const more =
    others.length === 0 ? '' : ` After that: ${others.map(({ name }) => name).join(', ')}.`;
  return `Chromium does not speak HTTP/3 to it, because: ${first.found}. What to do: ${first.remedy}.${more}`;
}
