import { X509Certificate } from 'node:crypto';
import { certificateProblems } from '../../../certs/certificate-problems.ts';
import type { BrowserKind } from '../../../ground/browser-kind.ts';
import { shellLine } from '../../../ground/system/shell-word.ts';
import { isUsable, readAltSvc, whyUnusable } from '../../../runner/alt-svc.ts';
import { answersUdp, type OriginAnswers, type QuicAnswer, type ServerAnswers } from './answers.ts';
import { WORDS } from './browser-words.ts';
import { isHttp3 } from './chromium.ts';
import type { Origin } from './origin.ts';
import { SHORTEN_HEADERS, TOO_LARGE_HEADERS } from './quic-steps.ts';
import { lackStep, noteStep, okStep, type Step } from './step.ts';
import { trustProblem, wantsCertificate } from './tcp-steps.ts';

/** How a browser discovers HTTP/3, and whether it accepts the server's certificate over QUIC. */
export function discoverySteps(answers: OriginAnswers): Step[] {
  const { browser, origin, server } = answers;
  if (server === null) return [];
  return [
    ...altSvc(answers),
    ...redirect(origin, server, browser),
    ...httpsRecord(server),
    ...authority(answers),
  ];
}

function altSvc(answers: OriginAnswers): Step[] {
  const { browser, origin, server } = answers;
  if (server === null || server.tls.value === null) return [];
  const { http, misnamed } = server;
  // It is unknown whether the server sends one.
  if (http.value === null && wantsCertificate(answers)) return [];
  const remedy = `Send this header with every response over TCP: Alt-Svc: h3=":${origin.port}"; ma=86400`;
  const lack = (found: string) => [lackStep('Alt-Svc', 'accepted', { found, remedy })];
  if (http.value === null) {
    const failures = [http.failure, ...server.quic.map(({ http3 }) => http3.failure)];
    const areHeaders = failures.some((each) => each && TOO_LARGE_HEADERS.test(each.reason));
    const found = `no response over TCP: ${http.failure.reason}`;
    if (!areHeaders) return lack(found);
    return [lackStep('Alt-Svc', 'accepted', { found, remedy: SHORTEN_HEADERS })];
  }
  const { status, altSvc: header } = http.value;
  if (header === null) return lack(`the response (status ${status}) has no Alt-Svc header`);
  if (header.trim() === 'clear')
    return lack('Alt-Svc is "clear": the server offers no alternative');
  const alternatives = readAltSvc(header);
  if (misnamed !== null && alternatives.some((each) => isUsable(each, origin, browser))) {
    const namesBoth = alternatives.some(
      (each) => each.port === origin.port && isUsable(each, origin, browser),
    );
    const order = namesBoth ? 'before' : 'and not';
    return [
      lackStep('Alt-Svc', 'accepted', {
        found: `${header} names UDP port ${misnamed.port}, where HTTP/3 does not answer (${whyNot(misnamed.quic)}), ${order} port ${origin.port}, where QUIC answers`,
        remedy: `Name port ${origin.port}, where QUIC answers: Alt-Svc: h3=":${origin.port}"; ma=86400`,
      }),
    ];
  }
  if (alternatives.some((each) => isUsable(each, origin, browser)))
    return [okStep('Alt-Svc', header)];
  const h3 = alternatives.find(({ protocol }) => protocol === 'h3');
  return lack(
    h3 ? `Alt-Svc ${whyUnusable(h3, origin, browser)}` : `Alt-Svc does not name h3: ${header}`,
  );
}

function whyNot([first]: readonly QuicAnswer[]): string {
  if (first === undefined) return 'not checked';
  const { versions, http3 } = first;
  return (answersUdp(first) ? http3.failure?.reason : versions.failure?.code) ?? 'no answer';
}

const REDIRECTS = [301, 302, 303, 307, 308];

/** A redirect to another origin does not help this one. */
function redirect(origin: Origin, { http }: ServerAnswers, browser: BrowserKind): Step[] {
  const { status = 0, location = null } = http.value ?? {};
  const target = location === null ? null : URL.parse(location, origin.url);
  if (target === null || !REDIRECTS.includes(status)) return [];
  if (target.origin === new URL(origin.url).origin) return [];
  return [
    lackStep('redirect', 'accepted', {
      found: `status ${status} redirects ${WORDS[browser].name} to ${target.href}, which is another origin: too few requests remain here to switch to HTTP/3`,
      remedy:
        target.protocol === 'https:'
          ? `Check that URL: npm run doctor -- ${shellLine([target.href, ...WORDS[browser].examines])}`
          : 'Redirect to https://: HTTP/3 needs it',
    }),
  ];
}

function httpsRecord({ httpsRecords }: ServerAnswers): Step[] {
  if (httpsRecords === null) return [];
  const { value, failure } = httpsRecords;
  if (value === null) return [noteStep('HTTPS record', `not known: ${failure.reason}`)];
  if (value.length === 0) return [okStep('HTTPS record', 'none; Alt-Svc suffices')];
  const protocols = [...new Set(value.flatMap(({ alpn }) => alpn))];
  if (protocols.includes('h3')) return [okStep('HTTPS record', protocols.join(', '))];
  return [
    {
      ...noteStep('HTTPS record', `does not name h3: ${protocols.join(', ') || 'no protocol'}`),
      remedy: 'Add alpn="h3,h2" to it, so that the very first connection can be QUIC',
    },
  ];
}

/** The browser's verdict on the certificates, received over TCP or QUIC. */
function authority({ browser, origin, at, loads, pins, otherOverQuic }: OriginAnswers): Step[] {
  const seen = loads['as-is'].verifications[0] ?? otherOverQuic;
  if (seen === null) return [];
  // If QUIC has another port than TCP, only Alt-Svc leads there.
  const way = isHttp3(loads.accepted) && !isHttp3(loads.forced) ? 'accepted' : 'forced';
  const { name, addedAuthority, acceptAuthority } = WORDS[browser];
  const remedy = `Use a certificate of a public authority; or ${acceptAuthority(origin, way, pins)}`;
  const chain = seen.chain.map((pem) => new X509Certificate(pem).raw);
  if (seen.problems.includes('AUTHORITY_INVALID')) {
    const problem = trustProblem(chain, origin.host, at);
    const reason = problem?.message ?? `this machine trusts its authority, but ${name} does not`;
    return [
      lackStep('authority', 'as-is', {
        found: `${reason}; ${name} rejects it, and over QUIC would do so even if this machine trusted it`,
        remedy: problem?.code === 'chain-incomplete' ? problem.remedy : remedy,
      }),
    ];
  }
  if (seen.error !== '') {
    // The step "certificate" has reported such problems.
    const isReported = certificateProblems(chain, { host: origin.host, at }).length > 0;
    if (isReported) return [];
    return [
      lackStep('authority', 'as-is', {
        found: `${name} rejects the certificate: ${seen.error}`,
        remedy,
      }),
    ];
  }
  if (seen.isKnownRoot) return [okStep('authority', 'a public one')];
  return [lackStep('authority', 'as-is', { found: addedAuthority, remedy })];
}
