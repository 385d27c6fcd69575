import { getCACertificates } from 'node:tls';
import {
  type CertificateProblem,
  type CertificateUse,
  certificateProblems,
} from '../../../certs/certificate-problems.ts';
import type { OriginAnswers, ServerAnswers } from './answers.ts';
import { lackStep, okStep, type Step } from './step.ts';

/** What was found on the way to the server over TCP, where Chromium asks first. */
export function tcpSteps(answers: OriginAnswers): Step[] {
  const { origin, addresses, server, at } = answers;
  if (server === null) {
    return [
      lackStep('name', 'as-is', {
        found: `${origin.host} has no address: ${addresses.failure?.reason}`,
        remedy: 'Ask for another name, or name its address with --resolve',
      }),
    ];
  }
  const told = origin.resolve === null ? 'has' : 'is to be asked at';
  return [
    okStep('name', `${origin.host} ${told} ${addresses.value?.join(', ')}`),
    // The server listens, and what it lacks is another row.
    ...(server.tls.value === null && wantsCertificate(answers)
      ? []
      : [connection(server, origin.port)]),
    ...certificate(server, origin.host, at),
    ...clientCertificate(answers),
  ];
}

/** What says that a server wants a certificate of its client, over TCP or QUIC, and in Chromium's words. */
const WANTS_CERTIFICATE = /certificate_required|(BAD_)?SSL_CLIENT_AUTH|certificate required/i;

/** What servers answer that ask for one, take a client without, and refuse its requests: nginx, Apache, IIS, and what stands before. */
const SAYS_SO =
  /no required ssl certificate|post-handshake authentication|(client|ssl) certificate (is |was )?(required|needed|missing|not (sent|provided|found))|(requires?|provide|present) (an? )?(valid )?(client|ssl) certificate|no client certificate/i;

/** Whether the server answers no client that has no certificate. */
export function wantsCertificate({ server, loads }: OriginAnswers): boolean {
  const { tls, http, quic = [] } = server ?? {};
  const failures = [tls?.failure, http?.failure, ...quic.map(({ http3 }) => http3.failure)];
  // This client shows none, so that no certificate of its own can be bad.
  const isRefused = failures.some(
    (failure) =>
      failure &&
      (/(^|_)bad_certificate$/i.test(failure.code) ||
        WANTS_CERTIFICATE.test(`${failure.code} ${failure.reason}`)),
  );
  const errors = Object.values(loads).flatMap(({ error, quicEnds }) => [
    error ?? '',
    ...quicEnds.map(({ details }) => details),
  ]);
  return (
    isRefused ||
    SAYS_SO.test(http?.value?.errorText ?? '') ||
    errors.some((error) => WANTS_CERTIFICATE.test(error))
  );
}

function clientCertificate(answers: OriginAnswers): Step[] {
  if (!wantsCertificate(answers)) return [];
  const answered = answers.server?.http.value?.status;
  return [
    lackStep('client certificate', answered === undefined ? 'as-is' : 'accepted', {
      found:
        answered === undefined
          ? 'the server wants a certificate of its client, and answers nothing over TCP without one'
          : `the server wants a certificate of its client, and answers status ${answered} without one`,
      remedy:
        'Ask at a host that wants none, or switch the demand off for this test; Chromium has one only if it is installed in its profile',
    }),
  ];
}

function connection({ address, tls }: ServerAnswers, port: number): Step {
  if (tls.failure === null) {
    const { version, alpn } = tls.value;
    return okStep('TCP and TLS', `${version}, ${alpn || 'no ALPN'}, at ${address}, port ${port}`);
  }
  return lackStep('TCP and TLS', 'accepted', {
    found: `no HTTPS over TCP: ${tls.failure.reason}`,
    remedy: `Let the server answer HTTPS over TCP on port ${port} too: Chromium asks there first, and learns of HTTP/3 by its answer`,
  });
}

/** Whether anybody trusts it, Chromium tells better (see discovery-steps.ts). */
function certificate({ tls }: ServerAnswers, host: string, at: Date): Step[] {
  if (tls.value === null) return [];
  return [certificateStep('certificate', tls.value.chain, { host, at })];
}

export function certificateStep(
  name: string,
  chain: readonly Uint8Array[],
  use: Pick<CertificateUse, 'host' | 'at'>,
): Step {
  const problems = certificateProblems(chain, use);
  const [first] = problems;
  if (first === undefined)
    return okStep(name, `for ${use.host}, in date, of a key that Chromium takes`);
  const found = problems.map(({ message }) => message).join('; ');
  const lack = lackStep(name, 'as-is', { found, remedy: first.remedy });
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
