import { getCACertificates } from 'node:tls';
import {
  type CertificateProblem,
  type CertificateUse,
  certificateProblems,
} from '../../../certs/certificate-problems.ts';
import type { BrowserKind } from '../../../ground/browser-kind.ts';
import type { OriginAnswers, ServerAnswers } from './answers.ts';
import { WORDS } from './browser-words.ts';
import { lackStep, okStep, type Step } from './step.ts';

/** Steps to the server over TCP, which browsers use first. */
export function tcpSteps(answers: OriginAnswers): Step[] {
  const { browser, origin, addresses, server, at } = answers;
  if (server === null) {
    return [
      lackStep('name', 'as-is', {
        found: `${origin.host} has no address: ${addresses.failure?.reason}`,
        remedy: 'Check the name, or give its address with --resolve',
      }),
    ];
  }
  const verb = origin.resolve === null ? 'has' : 'is examined at';
  return [
    okStep('name', `${origin.host} ${verb} ${addresses.value?.join(', ')}`),
    // The server listens; the step "client certificate" has the cause.
    ...(server.tls.value === null && wantsCertificate(answers)
      ? []
      : [connection(server, origin.port, WORDS[browser].name)]),
    ...certificate(server, { host: origin.host, at, browser }),
    ...clientCertificate(answers),
  ];
}

/** Errors of a server that requires a client certificate, over TCP or QUIC, and those of browsers. */
const WANTS_CERTIFICATE = /certificate_required|(BAD_)?SSL_CLIENT_AUTH|certificate required/i;

/** Error pages of servers that accept a client without a certificate and refuse its requests: nginx, Apache, IIS, and proxies. */
const WANTS_CERTIFICATE_PAGE =
  /no required ssl certificate|post-handshake authentication|(client|ssl) certificate (is |was )?(required|needed|missing|not (sent|provided|found))|(requires?|provide|present) (an? )?(valid )?(client|ssl) certificate|no client certificate/i;

/** Whether the server requires a client certificate. */
export function wantsCertificate({ server, loads }: OriginAnswers): boolean {
  const { tls, http, quic = [] } = server ?? {};
  const failures = [tls?.failure, http?.failure, ...quic.map(({ http3 }) => http3.failure)];
  // This client sends no certificate, so "bad certificate" means a missing one.
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
    WANTS_CERTIFICATE_PAGE.test(http?.value?.errorText ?? '') ||
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
          ? 'the server requires a client certificate, and refuses TCP connections without one'
          : `the server requires a client certificate, and answers status ${answered} without one`,
      remedy:
        'Use a host that requires none, or disable the requirement for this test; a browser has a client certificate only if its profile has one',
    }),
  ];
}

function connection({ address, tls }: ServerAnswers, port: number, browser: string): Step {
  if (tls.failure === null) {
    const { version, alpn } = tls.value;
    return okStep('TCP and TLS', `${version}, ${alpn || 'no ALPN'}, at ${address}, port ${port}`);
  }
  return lackStep('TCP and TLS', 'accepted', {
    found: `no HTTPS over TCP: ${tls.failure.reason}`,
    remedy: `Let the server answer HTTPS over TCP on port ${port} too: ${browser} connects there first, and discovers HTTP/3 in the response`,
  });
}

/** The browser decides whether it is trusted (see discovery-steps.ts). */
function certificate({ tls }: ServerAnswers, use: ServedCertificate): Step[] {
  if (tls.value === null) return [];
  return [certificateStep('certificate', tls.value.chain, use)];
}

type ServedCertificate = Pick<CertificateUse, 'host' | 'at'> & { browser: BrowserKind };

export function certificateStep(
  name: string,
  chain: readonly Uint8Array[],
  use: ServedCertificate,
): Step {
  const problems = certificateProblems(chain, use);
  const [first] = problems;
  if (first === undefined)
    return okStep(
      name,
      `for ${use.host}, in date, with a key that ${WORDS[use.browser].name} accepts`,
    );
  const found = problems.map(({ message }) => message).join('; ');
  const lack = lackStep(name, 'as-is', { found, remedy: first.remedy });
  // Browsers accept a small key under an authority that was added.
  return problems.every(({ code }) => code === 'key-too-small')
    ? { ...lack, status: 'note' }
    : lack;
}

/** Why a chain is not trusted; undefined: public authorities or those of this machine trust it. */
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
