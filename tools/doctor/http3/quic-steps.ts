import { X509Certificate } from 'node:crypto';
import type { OriginAnswers, QuicAnswer } from './answers.ts';
import { isHttp3 } from './chromium.ts';
import { lackStep, noteStep, okStep, type Step } from './step.ts';
import { certificateStep } from './tcp-steps.ts';

/** The only one that Chromium 156 offers. */
const VERSION = '1';
const NO_PROTOCOL = ['no_application_protocol', 'alpn'];

/** What was found on the way to the server over UDP; it ends with the first step that nobody comes beyond. */
export function quicSteps(answers: OriginAnswers): Step[] {
  if (answers.server === null) return [];
  const { quic, quicPort } = answers.server;
  const asked = quic.find((each) => answersUdp(each) === true);
  const steps = [udp(quic, quicPort)];
  for (const step of [version, handshake, certificate, answer]) {
    if (asked === undefined || steps.at(-1)?.status === 'lack') break;
    const found = step(asked, answers);
    if (found !== null) steps.push(found);
  }
  // With QUIC forced, Chromium asks at the origin's port, and so shows nothing of another one.
  const isOwnPort = quicPort === answers.origin.port;
  return steps.map((step) =>
    step.disprovedBy === 'forced' && !isOwnPort ? { ...step, disprovedBy: 'accepted' } : step,
  );
}

/** Refused by the host or by this machine: no client tells better. */
const REFUSED = ['ECONNREFUSED', 'EPERM', 'EACCES'];

/** Whether anything came back; undefined: not for what was asked without the client, which itself told nothing. */
export function answersUdp({ versions, http3 }: QuicAnswer): boolean | undefined {
  const layers = [versions, http3].map(({ failure }) => failure?.layer);
  if (layers.some((layer) => layer !== 'udp' && layer !== 'client')) return true;
  const isTold = !layers.includes('client') || REFUSED.includes(versions.failure?.code ?? '');
  return isTold ? false : undefined;
}

/** By QUIC Chromium asks the first address alone, while by TCP it goes on to the next one. */
function udp(quic: readonly QuicAnswer[], port: number): Step {
  const placeOf = (some: readonly QuicAnswer[]) =>
    `UDP port ${port} of ${some.map(({ address }) => address).join(', ')}`;
  const silent = quic.filter((each) => answersUdp(each) === false);
  const answering = quic.filter((each) => answersUdp(each) === true);
  const [untold] = quic.filter((each) => answersUdp(each) === undefined);
  if (silent.length === 0) {
    if (untold === undefined) return okStep('UDP', `${placeOf(quic)} answers`);
    return noteStep(
      'UDP',
      `whether ${placeOf([untold])} answers is not known: a question for its versions was not answered, and a handshake could not be tried (${untold.http3.failure?.reason})`,
    );
  }
  const place = placeOf(silent);
  if (answering.length > 0) {
    return lackStep('UDP', 'forced', {
      found: `${place} does not answer, though ${placeOf(answering)} does: by QUIC Chromium tries one address alone`,
      remedy: `Let the server listen there too, take that address from the name, or name the other one (${answering[0]?.address})`,
    });
  }
  const code = silent[0]?.versions.failure?.code ?? '';
  switch (code) {
    case 'ECONNREFUSED':
      return lackStep('UDP', 'forced', {
        found: `${place} is refused (ICMP port unreachable): no program listens for QUIC there`,
        remedy: `Switch HTTP/3 on in the server, on UDP port ${port}; there, ss -uln shows who listens`,
      });
    case 'EPERM':
    case 'EACCES':
      return lackStep('UDP', 'forced', {
        found: `this machine does not let datagrams out to ${place} (${code})`,
        remedy:
          'Look for a rule about outgoing UDP in the firewall of this machine (nft list ruleset)',
      });
    default:
      return lackStep('UDP', 'forced', {
        found: `${place} does not answer (${code}): nothing listens there, or a firewall drops UDP`,
        remedy: `Open UDP port ${port} in every firewall on the way (nft list ruleset on the server, security groups of its cloud), and see with ss -uln whether the server listens there`,
      });
  }
}

/** Not every server names its versions when it is asked for another one, nor all of them. */
function version({ versions, http3 }: QuicAnswer, { loads }: OriginAnswers): Step | null {
  const named = versions.value ?? [];
  const isRefused =
    http3.failure?.code === 'VERSION_NEGOTIATION' ||
    loads.forced.quicEnds.some(({ error }) => error === 'QUIC_INVALID_VERSION');
  if (!isRefused) {
    if (named.length > 0) return okStep('QUIC version', `the server names ${named.join(', ')}`);
    return http3.value && okStep('QUIC version', VERSION);
  }
  return lackStep('QUIC version', 'forced', {
    found: `the server offers ${named.length > 0 ? `version ${named.join(', ')}` : 'no version that exists'}, and Chromium speaks version ${VERSION} alone`,
    remedy: `Let the server speak QUIC version ${VERSION} (RFC 9000): an old one may need an update`,
  });
}

/** What the clients that ask here say of more response headers than they take. */
export const TOO_LARGE_HEADERS = /QPACK|CONTINUATION frames|Header overflow/i;
/** Measured with quic-go as the server. lsquic in Bun and nghttp2 in Node have the limit for one, nghttp2 that for HTTP/2. */
export const SHORTEN_HEADERS =
  'Send fewer or shorter response headers: Chromium takes 256 kB of them in all; the clients that ask here take 64 kB in one header, and over HTTP/2 some 140 kB in all';

/** Errors of HTTP/3, which come after the handshake: RFC 9114, section 8.1, and RFC 9204, section 6. */
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
      found: `the server speaks QUIC, but does not take h3 as its protocol (ALPN: ${failure.code})`,
      remedy: 'Add h3 to the protocols (ALPN) that the server offers over QUIC',
    });
  }
  return lackStep('QUIC handshake', 'forced', {
    found: failure.reason,
    remedy: 'Look for this handshake in the log of the server',
  });
}

/** Only one that is not that over TCP is told of. */
function certificate(
  _: QuicAnswer,
  { otherOverQuic, origin, at, server, loads }: OriginAnswers,
): Step | null {
  if (otherOverQuic === null || server === null) return null;
  const chain = otherOverQuic.chain.map((pem) => new X509Certificate(pem).raw);
  const step = certificateStep('certificate', chain, { host: origin.host, at });
  if (server.tls.value === null) return step;
  const found = `another than over TCP: ${step.found}`;
  if (step.status !== 'lack' || server.quicPort === origin.port) return { ...step, found };
  return {
    ...step,
    found: `UDP port ${server.quicPort}, which Alt-Svc names, has another certificate than TCP, so that another server may answer there: ${step.found}`,
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
      : 'Look for this request in the log of the server',
  });
}
