import { X509Certificate } from 'node:crypto';
import { certificateProblems } from '../../../certs/certificate-problems.ts';
import { isUsable, readAltSvc, whyUnusable } from '../../alt-svc.ts';
import type { OriginAnswers, ServerAnswers } from './answers.ts';
import { commandLineOf, isHttp3 } from './chromium.ts';
import type { Origin } from './origin.ts';
import { fine, lacking, noted, type Step } from './step.ts';
import { trustProblem } from './tcp-steps.ts';

/** What was found about how Chromium learns of HTTP/3, and whether it takes the server's certificate over QUIC. */
export function discoverySteps(answers: OriginAnswers): Step[] {
  const { origin, server } = answers;
  if (server === null) return [];
  return [...altSvc(origin, server), ...httpsRecord(server), ...authority(answers)];
}

function altSvc(origin: Origin, { http, tls }: ServerAnswers): Step[] {
  if (tls.value === null) return [];
  const remedy = `Send this header with every answer over TCP: Alt-Svc: h3=":${origin.port}"; ma=86400`;
  const lack = (found: string) => [lacking('Alt-Svc', 'accepted', { found, remedy })];
  if (http.value === null) return lack(`no answer over TCP: ${http.failure.reason}`);
  const { status, altSvc: header } = http.value;
  if (header === null) return lack(`the answer (status ${status}) has no Alt-Svc header`);
  if (header.trim() === 'clear') return lack('Alt-Svc says clear: there is no other way');
  const alternatives = readAltSvc(header);
  if (alternatives.some((each) => isUsable(each, origin))) return [fine('Alt-Svc', header)];
  const h3 = alternatives.find(({ protocol }) => protocol === 'h3');
  return lack(h3 ? `Alt-Svc ${whyUnusable(h3, origin)}` : `Alt-Svc does not name h3: ${header}`);
}

function httpsRecord({ httpsRecords }: ServerAnswers): Step[] {
  if (httpsRecords === null) return [];
  const { value, failure } = httpsRecords;
  if (value === null) return [noted('HTTPS record', `not known: ${failure.reason}`)];
  if (value.length === 0) return [fine('HTTPS record', 'none; Alt-Svc does without')];
  const protocols = [...new Set(value.flatMap(({ alpn }) => alpn))];
  if (protocols.includes('h3')) return [fine('HTTPS record', protocols.join(', '))];
  return [
    {
      ...noted('HTTPS record', `does not name h3: ${protocols.join(', ') || 'no protocol'}`),
      remedy: 'Add alpn="h3,h2" to it, so that the very first connection can be QUIC',
    },
  ];
}

/** What Chromium itself found of the certificates; how it got them, over TCP or QUIC, makes no difference. */
function authority({ origin, at, loads, pins, otherOverQuic }: OriginAnswers): Step[] {
  const seen = loads['as-is'].verifications[0] ?? otherOverQuic;
  if (seen === null) return [];
  // With QUIC at another port than TCP, only what Alt-Svc says leads there.
  const way = isHttp3(loads.accepted) && !isHttp3(loads.forced) ? 'accepted' : 'forced';
  const remedy = `Have a public authority sign it; or start Chromium with: ${commandLineOf(origin, way, pins)}`;
  const chain = seen.chain.map((pem) => new X509Certificate(pem).raw);
  if (seen.problems.includes('AUTHORITY_INVALID')) {
    const problem = trustProblem(chain, origin.host, at);
    const reason = problem?.message ?? 'this machine trusts its authority, and Chromium does not';
    return [
      lacking('authority', 'as-is', {
        found: `${reason}; Chromium refuses it, and over QUIC would even if this machine trusted it`,
        remedy: problem?.code === 'chain-incomplete' ? problem.remedy : remedy,
      }),
    ];
  }
  if (seen.error !== '') {
    // What can be told without Chromium stands above.
    const isTold = certificateProblems(chain, { host: origin.host, at }).length > 0;
    if (isTold) return [];
    return [
      lacking('authority', 'as-is', {
        found: `Chromium refuses the certificate: ${seen.error}`,
        remedy,
      }),
    ];
  }
  if (seen.isKnownRoot) return [fine('authority', 'a public one')];
  return [
    lacking('authority', 'as-is', {
      found:
        'Chromium trusts it because this machine does, but over QUIC it takes public authorities alone',
      remedy,
    }),
  ];
}
