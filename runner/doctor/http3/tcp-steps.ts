import { getCACertificates } from 'node:tls';
import {
  type CertificateProblem,
  type CertificateUse,
  certificateProblems,
} from '../../../certs/certificate-problems.ts';
import type { OriginAnswers, ServerAnswers } from './answers.ts';
import { fine, lacking, type Step } from './step.ts';

/** What was found on the way to the server over TCP, where Chromium asks first. */
export function tcpSteps({ origin, addresses, server, at }: OriginAnswers): Step[] {
  if (server === null) {
    return [
      lacking('name', 'as-is', {
        found: `${origin.host} has no address: ${addresses.failure?.reason}`,
        remedy: 'Ask for another name, or name its address with --resolve',
      }),
    ];
  }
  const told = origin.resolve === null ? 'has' : 'is to be asked at';
  return [
    fine('name', `${origin.host} ${told} ${addresses.value?.join(', ')}`),
    connection(server, origin.port),
    ...certificate(server, origin.host, at),
  ];
}

function connection({ address, tls }: ServerAnswers, port: number): Step {
  if (tls.failure === null) {
    const { version, alpn } = tls.value;
    return fine('TCP and TLS', `${version}, ${alpn || 'no ALPN'}, at ${address}, port ${port}`);
  }
  return lacking('TCP and TLS', 'accepted', {
    found: `no HTTPS over TCP: ${tls.failure.reason}`,
    remedy: `Let the server answer HTTPS over TCP on port ${port} too: Chromium asks there first, and learns of HTTP/3 by its answer`,
  });
}

/** Whether anybody trusts it, Chromium tells better (see discovery-steps.ts). */
function certificate({ tls }: ServerAnswers, host: string, at: Date): Step[] {
  if (tls.value === null) return [];
  return [certificateStep('certificate', tls.value.chain, { host, at })];
}

/** Whether a certificate is one that Chromium could take. */
export function certificateStep(
  name: string,
  chain: readonly Uint8Array[],
  use: Pick<CertificateUse, 'host' | 'at'>,
): Step {
  const problems = certificateProblems(chain, use);
  const [first] = problems;
  if (first === undefined)
    return fine(name, `for ${use.host}, in date, of a key that Chromium takes`);
  const found = problems.map(({ message }) => message).join('; ');
  const lack = lacking(name, 'as-is', { found, remedy: first.remedy });
  // Of an authority of the machine's own, Chromium takes it.
  return problems.every(({ code }) => code === 'key-too-small')
    ? { ...lack, status: 'note' }
    : lack;
}

/** Why nobody trusts a chain; undefined: the public authorities and those of this machine do. */
export function trustProblem(
  chain: readonly Uint8Array[],
  host: string,
  at: Date,
): CertificateProblem | undefined {
  const authorities = [...getCACertificates('bundled'), ...getCACertificates('system')];
  return certificateProblems(chain, { host, at, authorities }).find(({ code }) =>
    TRUST.includes(code),
  );
}

const TRUST: readonly CertificateProblem['code'][] = [
  'self-signed',
  'unknown-authority',
  'chain-incomplete',
];
