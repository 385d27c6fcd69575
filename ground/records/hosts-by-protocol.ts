import { firstNames } from '../first-names.ts';
import type { Protocol } from './protocol.ts';
import * as s from './schema.ts';

/** Choices of the hosts that use HTTP/3. */
export const HOST_CHOICES = ['as-recorded', 'own', 'all'] as const;

export type HostChoice = (typeof HOST_CHOICES)[number];

export const hostsByProtocolSchema = s.object(
  {
    h3: s.list(s.text(''), 'Hosts that use HTTP/3.'),
    h2: s.list(
      s.text(''),
      'Hosts that use HTTP/2 in all arms; an arm over HTTP/3 loads them from the server of the arm that it is compared with.',
    ),
  },
  "Hosts of the page by their protocol in arms over HTTP/3, as recorded or by domain; absent: all by the arm's protocol, or before format 6.1.",
);

export type HostsByProtocol = s.Static<typeof hostsByProtocolSchema>;

interface Arm {
  arm: string;
  protocol: Protocol;
  comparedWith?: string | undefined;
  controlOf: string | null;
}

/** The arm over HTTP/2 with which an arm is compared, and from whose server it loads hosts without HTTP/3; null: no such arm. */
export function http2ArmOf(
  { arm, controlOf }: Pick<Arm, 'arm' | 'controlOf'>,
  { arms, analysis }: { arms: readonly Arm[]; analysis: { baseline: string } },
): string | null {
  const repeated = arms.find((each) => each.arm === (controlOf ?? arm));
  const name = repeated?.comparedWith ?? analysis.baseline;
  return arms.some((each) => each.arm === name && each.protocol === 'h2') ? name : null;
}

/** Where hosts of a subject differ: which use HTTP/3, and which HTTP/2 in every arm, as sentences. */
export function hostSentences({
  subjects,
}: {
  subjects: readonly { subject: string; hostsByProtocol?: HostsByProtocol }[];
}): string[] {
  return subjects.flatMap(({ subject, hostsByProtocol }) =>
    hostsByProtocol?.h2.length
      ? [
          `${subject}: HTTP/3 is used by ${firstNames(hostsByProtocol.h3)}; HTTP/2 in both arms by ${firstNames(hostsByProtocol.h2)}.`,
        ]
      : [],
  );
}
