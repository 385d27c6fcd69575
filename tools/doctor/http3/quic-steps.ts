import { X509Certificate } from 'node:crypto';
import { NO_COMMON_VERSION } from '../../../clients/firefox/http3-reasons.ts';
import { answersUdp, type OriginAnswers, type QuicAnswer } from './answers.ts';
import { WORDS } from './browser-words.ts';
import { isHttp3 } from './chromium.ts';
import { lackStep, noteStep, okStep, type Step } from './step.ts';
import { certificateStep } from './tcp-steps.ts';

/** The only QUIC version that Chromium 156 and Firefox 153 offer. */
const VERSION = '1';
const NO_VERSION = ['QUIC_INVALID_VERSION', NO_COMMON_VERSION];
/** Alert of a server that is limited to TLS 1.2. */
const TLS_TOO_OLD = /protocol_version|TLSV1_ALERT_PROTOCOL_VERSION/i;
const NO_PROTOCOL = ['no_application_protocol', 'alpn'];

/** Steps to the server over UDP, up to the first that fails. */
export function quicSteps(answers: OriginAnswers): Step[] {
  if (answers.server === null) return [];
  const { quic, quicPort } = answers.server;
  const answering = quic.find((each) => answersUdp(each) === true);
  const steps = [udp(quic, quicPort, WORDS[answers.browser].name)];
  for (const step of [version, handshake, certificate, answer]) {
    if (answering === undefined || steps.at(-1)?.status === 'lack') break;
    const found = step(answering, answers);
    if (found !== null) steps.push(found);
  }
  // With QUIC forced, the browser connects to the origin's port, so this load says nothing about another port.
  const isOwnPort = quicPort === answers.origin.port;
  return steps.map((step) =>
    step.disprovedBy === 'forced' && !isOwnPort ? { ...step, disprovedBy: 'accepted' } : step,
  );
}

/** Over QUIC a browser tries only the first address; over TCP it tries all. */
function udp(quic: readonly QuicAnswer[], port: number, browser: string): Step {
  const placeOf = (some: readonly QuicAnswer[]) =>
    `UDP port ${port} of ${some.map(({ address }) => address).join(', ')}`;
  const silent = quic.filter((each) => answersUdp(each) === false);
  const answering = quic.filter((each) => answersUdp(each) === true);
  const [unknown] = quic.filter((each) => answersUdp(each) === undefined);
  if (silent.length === 0) {
    if (unknown === undefined) return okStep('UDP', `${placeOf(quic)} answers`);
    return noteStep(
      'UDP',
      `it is not known whether ${placeOf([unknown])} answers: version negotiation had no answer, and no handshake could be tried (${unknown.http3.failure?.reason})`,
    );
  }
  const place = placeOf(silent);
  if (answering.length > 0) {
    return lackStep('UDP', 'forced', {
      found: `${place} does not answer, but ${placeOf(answering)} does: over QUIC ${browser} tries only one address`,
      remedy: `Let the server listen there too, remove that address from the name, or use the other one (${answering[0]?.address})`,
    });
  }
  const code = silent[0]?.versions.failure?.code ?? '';
  switch (code) {
    case 'ECONNREFUSED':
      return lackStep('UDP', 'forced', {
        found: `${place} is refused (ICMP port unreachable): no program listens for QUIC there`,
        remedy: `Enable HTTP/3 in the server, on UDP port ${port}; ss -uln on the server shows the listening ports`,
      });
    case 'EPERM':
    case 'EACCES':
      return lackStep('UDP', 'forced', {
        found: `this machine blocks datagrams to ${place} (${code})`,
        remedy: 'Check the firewall of this machine for a rule on outgoing UDP (nft list ruleset)',
      });
    default:
      return lackStep('UDP', 'forced', {
        found: `${place} does not answer (${code}): nothing listens there, or a firewall drops UDP`,
        remedy: `Open UDP port ${port} in every firewall on the path (nft list ruleset on the server, security groups of its cloud), and check with ss -uln that the server listens there`,
      });
  }
}

/** Some servers skip version negotiation, or list only some versions. */
function version({ versions, http3 }: QuicAnswer, { browser, loads }: OriginAnswers): Step | null {
  const named = versions.value ?? [];
  const isRefused =
    http3.failure?.code === 'VERSION_NEGOTIATION' ||
    loads.forced.quicEnds.some(({ error }) => NO_VERSION.includes(error));
  if (!isRefused) {
    if (named.length > 0) return okStep('QUIC version', `the server names ${named.join(', ')}`);
    return http3.value && okStep('QUIC version', VERSION);
  }
  return lackStep('QUIC version', 'forced', {
    found: `the server offers ${named.length > 0 ? `version ${named.join(', ')}` : 'no version that exists'}, and ${WORDS[browser].name} supports only version ${VERSION}`,
    remedy: `Enable QUIC version ${VERSION} (RFC 9000) on the server: an old server may need an update`,
  });
}

/** Errors of these clients about response headers beyond their limit. */
export const TOO_LARGE_HEADERS = /QPACK|CONTINUATION frames|Header overflow/i;
/** Measured with quic-go as the server. lsquic in Bun and nghttp2 in Node limit one header, nghttp2 also the total. */
export const SHORTEN_HEADERS =
  'Send fewer or shorter response headers: Chromium accepts 256 kB in total, Firefox 384 kB; the clients of this check accept 64 kB in one header, and over HTTP/2 about 140 kB in total';

/** HTTP/3 errors, which follow the handshake: RFC 9114, section 8.1, and RFC 9204, section 6. */
const OF_HTTP = /QPACK|\bH3_/i;

function isOfHttp(failure: QuicAnswer['http3']['failure']): boolean {
  return failure?.layer === 'http' || OF_HTTP.test(`${failure?.code} ${failure?.reason}`);
}

function handshake({ http3: { value, failure } }: QuicAnswer): Step | null {
  if (value !== null || isOfHttp(failure)) {
    return okStep(
      'QUIC handshake',
      ['h3', value?.tlsVersion, value?.cipher].filter(Boolean).join(', '),
    );
  }
  if (failure.layer === 'client') return noteStep('QUIC handshake', failure.reason);
  if (NO_PROTOCOL.includes(failure.code)) {
    return lackStep('QUIC handshake', 'forced', {
      found: `the server speaks QUIC, but rejects the protocol h3 (ALPN: ${failure.code})`,
      remedy: 'Add h3 to the protocols (ALPN) that the server accepts over QUIC',
    });
  }
  if (TLS_TOO_OLD.test(`${failure.code} ${failure.reason}`)) {
    return lackStep('QUIC handshake', 'forced', {
      found: `the server rejects TLS 1.3, which QUIC needs: ${failure.reason}`,
      remedy: 'Enable TLS 1.3 in the server: the setting for TCP often applies to QUIC too',
    });
  }
  return lackStep('QUIC handshake', 'forced', {
    found: failure.reason,
    remedy: 'Check the log of the server for this handshake',
  });
}

/** Reported only if it differs from the certificate over TCP. */
function certificate(
  _: QuicAnswer,
  { browser, otherOverQuic, origin, at, server, loads }: OriginAnswers,
): Step | null {
  if (otherOverQuic === null || server === null) return null;
  const chain = otherOverQuic.chain.map((pem) => new X509Certificate(pem).raw);
  const step = certificateStep('certificate', chain, { host: origin.host, at, browser });
  if (server.tls.value === null) return step;
  const found = `not the certificate of TCP: ${step.found}`;
  if (step.status !== 'lack' || server.quicPort === origin.port) return { ...step, found };
  return {
    ...step,
    found: `UDP port ${server.quicPort}, which Alt-Svc names, has another certificate than TCP, so possibly another server answers there: ${step.found}`,
    ...(isHttp3(loads.forced) && {
      remedy: `Name port ${origin.port} in Alt-Svc, where this server speaks HTTP/3: h3=":${origin.port}"; ma=86400`,
    }),
  };
}

function answer({ http3: { value, failure } }: QuicAnswer): Step | null {
  if (value !== null) return okStep('answer over h3', `status ${value.status}`);
  if (!isOfHttp(failure)) return null;
  return lackStep('answer over h3', 'forced', {
    found: `no answer over HTTP/3: ${failure.reason}`,
    remedy: TOO_LARGE_HEADERS.test(failure.reason)
      ? SHORTEN_HEADERS
      : 'Check the log of the server for this request',
  });
}
