import { X509Certificate } from 'node:crypto';
import { type Alternative, readAltSvc } from './alt-svc.ts';
import type { OriginAnswers, ServerAnswers } from './answers.ts';
import { commandLineOf } from './chromium.ts';
import type { Origin } from './origin.ts';
import { fine, lacking, noted, type Step } from './step.ts';
import { trustProblem } from './tcp-steps.ts';

/** What was found about how Chromium learns of HTTP/3, and whether it takes the server's certificate over QUIC. */
export function discoverySteps(answers: OriginAnswers): Step[] {
  const { origin, server } = answers;
  if (server === null) return [];
  return [...altSvc(origin, server), ...httpsRecord(server), ...authority(answers)];
}

/** Ports that only an administrator's programs listen on. */
const FIRST_FREE_PORT = 1024;

function altSvc(origin: Origin, { http, tls }: ServerAnswers): Step[] {
  if (tls.value === null) return [];
  const remedy = `Send this header with every answer over TCP: Alt-Svc: h3=":${origin.port}"; ma=86400`;
  const lack = (found: string) => [lacking('Alt-Svc', 'accepted', { found, remedy })];
  if (http.value === null) return lack(`no answer over TCP: ${http.failure.reason}`);
  const { status, altSvc: header } = http.value;
  if (header === null) return lack(`the answer (status ${status}) has no Alt-Svc header`);
  const alternatives = readAltSvc(header);
  const h3 = alternatives.filter(({ protocol }) => protocol === 'h3');
  const reason = h3[0] === undefined ? notNamed(header) : unusable(h3[0], origin);
  if (reason !== null) return lack(reason);
  return [fine('Alt-Svc', header)];
}

function notNamed(header: string): string {
  if (header.trim() === 'clear') return 'Alt-Svc says clear: there is no other way';
  return `Alt-Svc does not name h3: ${header}`;
}

function unusable({ host, port, maxAgeS }: Alternative, origin: Origin): string | null {
  if (maxAgeS === 0) return 'Alt-Svc has ma=0: it is to be forgotten at once';
  if (origin.port < FIRST_FREE_PORT && port >= FIRST_FREE_PORT) {
    return `Alt-Svc names port ${port}, and Chromium does not go from a port below ${FIRST_FREE_PORT} to one above`;
  }
  if (host !== '' && host !== origin.host) return `Alt-Svc names another host, ${host}`;
  return null;
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
function authority({ origin, at, loads, pins }: OriginAnswers): Step[] {
  const seen = loads['as-is'].verifications[0] ?? loads.forced.verifications[0];
  if (seen === undefined) return [];
  const remedy = `Have a public authority sign it; or start Chromium with: ${commandLineOf(origin, pins)}`;
  if (seen.problems.includes('AUTHORITY_INVALID')) {
    const chain = seen.chain.map((pem) => new X509Certificate(pem).raw);
    const problem = trustProblem(chain, origin.host, at);
    const reason = problem?.message ?? 'this machine trusts its authority, and Chromium does not';
    return [
      lacking('authority', 'as-is', {
        found: `${reason}; Chromium has authorities of its own, over QUIC only public ones`,
        remedy: problem?.code === 'chain-incomplete' ? problem.remedy : remedy,
      }),
    ];
  }
  if (seen.error !== '') {
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
        'Chromium trusts it as this machine says so, but over QUIC it takes public authorities alone',
      remedy,
    }),
  ];
}
