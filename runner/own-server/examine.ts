import { createHash } from 'node:crypto';
import path from 'node:path';
import { BodyTooLargeError, checkCoding } from '../../cache/importers/content-coding.ts';
import { IMPORT_LIMITS } from '../../cache/limits.ts';
import type { Resource } from '../../cache/manifest.ts';
import { answerTo, documentChainOf } from '../../cache/resource-answers.ts';
import { SIZED_PATHS } from '../../cache/sized-site.ts';
import { pinOf } from '../../certs/authority.ts';
import { certificateProblems } from '../../certs/certificate-problems.ts';
import type { Examiner, ResourceResponse } from '../../clients/examiner.ts';
import { isNotFavicon, keyOf } from '../../experiments/page-load/checks/requests.ts';
import type { SiteToLoad } from '../../experiments/subjects.ts';
import type { ConnectionTransport } from '../../ground/records/connection-transport.ts';
import { isOverQuic, offersBoth, type Protocol } from '../../ground/records/protocol.ts';
import { type Stack, serverNameOf } from '../../ground/stack.ts';
import { ServerError } from '../../ground/system/errors.ts';
import { readPlainFile } from '../../ground/system/plain-file.ts';
import { shellWord } from '../../ground/system/shell-word.ts';
import type { PathAgent } from '../../network/agent.ts';
import { OWN_ENDINGS } from '../../servers/own-stack.ts';
import { isUsable, readAltSvc } from '../alt-svc.ts';
import type { Server } from '../servers.ts';
import { isLoopbackOnly, listenersOf } from './listeners.ts';
import type { Reach } from './reach.ts';

export interface Examination {
  stack: Stack;
  url: string;
  reach: Reach;
  site: Pick<SiteToLoad, 'planned' | 'manifest' | 'folder' | 'hosts'>;
  examiner: Pick<Examiner, 'request'>;
  agent: Pick<PathAgent, 'run'>;
  /** Newest TLS version to offer over TCP. */
  tlsMost: '1.2' | '1.3';
}

export interface ServerDescription {
  /** Value of its `server` header field; null: no such field. */
  program: string | null;
  /** Size of the certificates that it sent for the page's host (DER); null: not all of them are known. */
  certificateChainBytes: number | null;
  /** Consequence of responses over HTTP/3 without Alt-Svc, as a sentence; null: they have it. */
  warning: string | null;
  /** Base64 SHA-256 of the public keys of its certificates. */
  spkiPins: string[];
}

/** An examination by one of the expected protocols. */
interface ProtocolExamination extends Examination {
  protocol: Protocol;
}

const LIMIT_MS = 10_000;

/** Time for a protocol after which no further resources are requested. */
const QUICK_MS = 2_000;

/** Limit for an unexpected body, such as an error page, whose status is reported. */
const OTHER_BODY_BYTES = 1_000_000;

/**
 * Requests from a running server the site's main document with its redirects, and one resource of each type of its host, one of each
 * further host, and more while that is quick, by both HTTP versions where both are expected.
 * @throws ServerError when it is unreachable, speaks another protocol, shows a certificate that browsers refuse, serves another
 *   site, or does not advertise its HTTP/3
 */
export async function examine(examination: Examination): Promise<ServerDescription> {
  const { protocol } = examination.stack;
  if (!offersBoth(protocol)) return examineBy({ ...examination, protocol });
  const overTcp = await examineBy({ ...examination, protocol: 'h2' });
  const overQuic = await examineBy({ ...examination, protocol: 'h3' });
  const { warning } = overQuic;
  return {
    ...overTcp,
    warning,
    spkiPins: [...new Set([...overTcp.spkiPins, ...overQuic.spkiPins])],
  };
}

async function examineBy(examination: ProtocolExamination): Promise<ServerDescription> {
  const pins = new Set<string>();
  let first: ResourceResponse | null = null;
  let unannounced: string | null = null;
  const { always, whileQuick } = resourcesToRequest(examination.site);
  const quickUntilMs = performance.now() + QUICK_MS;
  for (const [index, resource] of [...always, ...whileQuick].entries()) {
    if (index >= always.length && performance.now() > quickUntilMs) break;
    const response = await requestResource(resource, examination);
    assertSpeaks(response, examination);
    assertShowsCertificate(resource, response, examination);
    await assertAnswers(resource, response, examination);
    assertAdvertisesHttp3(resource, response, examination);
    first ??= response;
    if (isOverQuic(examination.protocol) && !announcesHttp3(response)) unannounced ??= resource.url;
    pins.add(pinOf(Buffer.from(response.certificates[0] ?? '', 'base64')));
  }
  if (first === null) throw new Error(`${examination.site.planned.subject} has no main document`);
  const chain = first.certificates.map((each) => Buffer.from(each, 'base64'));
  return {
    program: fieldOf(first, 'server'),
    certificateChainBytes: first.isChainWhole
      ? chain.reduce((sum, { length }) => sum + length, 0)
      : null,
    warning: unannounced && unannouncedWarning(unannounced, examination),
    spkiPins: [...pins],
  };
}

/**
 * Warning about a server that the run started, if its main document over HTTP/3 has no Alt-Svc; null: it has it, or no response came,
 * which the run reports.
 */
export async function warningOfStarted(
  { stack, origins }: Pick<Server, 'stack' | 'origins'>,
  { site, examiner }: Pick<Examination, 'site' | 'examiner'>,
): Promise<string | null> {
  const document = site.manifest ? documentChainOf(site.manifest)[0] : undefined;
  if (document === undefined) return null;
  const address = origins[new URL(document.url).hostname];
  if (address === undefined) return null;
  const [ip = '', port] = address.split(':');
  const reach = { ip, port: Number(port), isHere: true };
  const response = await requestOver('quic', 'h3', document, { site, examiner, reach });
  if (response.error !== null || announcesHttp3(response)) return null;
  return unannouncedWarning(document.url, { stack });
}

/** Chromium knows a host as multiplexing by HTTP/2, or by Alt-Svc. */
function announcesHttp3(response: ResourceResponse): boolean {
  return readAltSvc(fieldOf(response, 'alt-svc') ?? '').length > 0;
}

function unannouncedWarning(url: string, { stack }: Pick<Examination, 'stack'>): string {
  return `${stack.stack} sends no alt-svc over HTTP/3 (${url}), so Chromium holds requests back as for HTTP/1.1: pages with many resources load slower than for visitors who discovered HTTP/3 by Alt-Svc. Have it send the alt-svc that it sends over HTTP/2.`;
}

/** The main document first, after its redirects; of a file of a size, that file. */
function resourcesToRequest({ manifest, hosts }: Examination['site']): {
  always: Resource[];
  whileQuick: Resource[];
} {
  if (manifest === null) throw new Error('a host has no resources');
  if (isSized(manifest)) {
    const isFile = ({ url }: Resource) => url.endsWith(SIZED_PATHS.download);
    return { always: manifest.resources.filter(isFile), whileQuick: [] };
  }
  const chain = documentChainOf(manifest);
  const hostOf = ({ url }: Resource) => new URL(url).host;
  const further = manifest.resources.filter(
    (each) =>
      each.method === 'GET' &&
      // A new connection has no validator, and requests no part.
      each.status === 200 &&
      isNotFavicon(keyOf(each)) &&
      hosts.includes(hostOf(each)) &&
      !chain.includes(each),
  );
  const [main = ''] = hosts;
  const groups = Map.groupBy(further, (each) =>
    hostOf(each) === main ? each.type : `of ${hostOf(each)}`,
  );
  const firsts = [...groups.values()].flatMap((own) => own.slice(0, 1));
  // Loads of other sites may not request all of them.
  const rest = manifest.complete ? further.filter((each) => !firsts.includes(each)) : [];
  return { always: [...chain, ...firsts], whileQuick: rest };
}

/** Whether the site is a file of which only the size matters. */
function isSized(manifest: Examination['site']['manifest']): boolean {
  return manifest?.kind === 'sized';
}

async function requestResource(
  resource: Resource,
  examination: ProtocolExamination,
): Promise<ResourceResponse> {
  const { protocol, tlsMost } = examination;
  const [first, ...older] = transportsOf(protocol, tlsMost);
  let response = await requestOver(first, protocol, resource, examination);
  for (const transport of older) {
    // The server may only support TLS 1.2, which browsers accept.
    if (response.error?.layer !== 'tls') break;
    const retried = await requestOver(transport, protocol, resource, examination);
    if (retried.error === null) response = retried;
  }
  if (response.error === null) return response;
  throw wrong(
    examination,
    `${response.error.reason} ${await explainFailure(response, resource, examination)}`,
  );
}

function transportsOf(
  protocol: Protocol,
  tlsMost: '1.2' | '1.3',
): [ConnectionTransport, ...ConnectionTransport[]] {
  if (isOverQuic(protocol)) return ['quic'];
  return tlsMost === '1.2' ? ['tls1.2'] : ['tls1.3', 'tls1.2'];
}

function requestOver(
  transport: ConnectionTransport,
  protocol: Protocol,
  { url, wireBytes, decodedBytes }: Resource,
  { reach, examiner, site }: Pick<Examination, 'reach' | 'examiner' | 'site'>,
): Promise<ResourceResponse> {
  const { hostname, host, pathname, search } = new URL(url);
  return examiner.request({
    transport: transport,
    protocol,
    host: hostname,
    authority: host,
    path: `${pathname}${search}`,
    address: `${reach.ip}:${reach.port}`,
    timeoutMs: LIMIT_MS,
    maxBodyBytes: Math.max(wireBytes, decodedBytes) + OTHER_BODY_BYTES,
    countsBody: isSized(site.manifest),
  });
}

/** Explains why no response came, and what to do. */
async function explainFailure(
  { error, alpn }: ResourceResponse,
  resource: Resource,
  examination: ProtocolExamination,
): Promise<string> {
  const { protocol, url, reach, agent } = examination;
  const seeDoctor = `For details: npm run doctor -- ${shellWord(url)}.`;
  const isSilent = error?.layer === 'tcp' || error?.layer === 'udp';
  const listeners = isSilent && reach.isHere ? await listenersOf(agent, protocol) : null;
  const own = listeners?.filter(({ port }) => port === reach.port);
  if (own?.length && own.every(isLoopbackOnly)) {
    return `It listens only at loopback (${own.map(({ address, port }) => `${address}:${port}`).join(', ')}), which the path cannot reach: have it listen at 0.0.0.0.`;
  }
  // After ALPN agreed, the protocol is not the cause.
  if (alpn === protocol) return seeDoctor;
  const spoken = await spokenInstead(resource, examination);
  if (spoken !== null) {
    return `It speaks ${spoken} at that port: configure it for ${protocol}, or ${selectOther(examination, spoken)}.`;
  }
  if (!isSilent) return seeDoctor;
  if (!reach.isHere) {
    return `It is on another machine: this one has to forward (sysctl net.ipv4.ip_forward=1), and the other needs a return route to the path's client, 198.18.0.1, through this one. ${seeDoctor}`;
  }
  return own?.length === 0
    ? `Nothing on this machine listens at port ${reach.port} of ${isOverQuic(protocol) ? 'UDP' : 'TCP'}: start the server first.`
    : `Does a firewall of this machine block connections from the path (198.18.0.1)? ${seeDoctor}`;
}

/** The stack of a server by another protocol, for the end of a sentence. */
function selectOther({ stack: { stack } }: Examination, spoken: string): string {
  const ending = Object.entries(OWN_ENDINGS).find(([, protocol]) => protocol === spoken)?.[0];
  return `select ${serverNameOf(stack)}${ending ?? '-h1'} instead of ${stack}`;
}

/** Protocols to try instead; a server that does not choose HTTP/2 by ALPN speaks HTTP/1.1. */
const ALTERNATIVES: readonly Protocol[] = ['h2', 'h3'];

/** The protocol that a server speaks instead of the expected one; null: neither. */
async function spokenInstead(
  resource: Resource,
  examination: ProtocolExamination,
): Promise<string | null> {
  const { protocol: expected, tlsMost } = examination;
  for (const protocol of ALTERNATIVES.filter((each) => each !== expected)) {
    const { alpn } = await requestOver(
      transportsOf(protocol, tlsMost)[0],
      protocol,
      resource,
      examination,
    );
    if (alpn !== null) return alpn;
  }
  return null;
}

/** @throws ServerError where TLS agreed on another protocol than the stack's name says */
function assertSpeaks({ alpn }: ResourceResponse, examination: ProtocolExamination): void {
  const { protocol } = examination;
  // No ALPN means HTTP/1.1.
  const spoken = alpn ?? 'http/1.1';
  if (spoken === protocol) return;
  throw wrong(
    examination,
    `Expected it to speak ${protocol}, as its name says, got ${spoken} (ALPN). Have it offer ${protocol}, or ${selectOther(examination, spoken)}.`,
  );
}

/** @throws ServerError for a certificate that browsers refuse, from any authority */
function assertShowsCertificate(
  { url }: Resource,
  { certificates }: ResourceResponse,
  examination: Examination,
): void {
  const { hostname: host } = new URL(url);
  const chain = certificates.map((each) => Buffer.from(each, 'base64'));
  const [problem] = certificateProblems(chain, { host, at: new Date() });
  if (!problem) return;
  throw wrong(
    examination,
    `Expected a certificate that browsers accept for ${host}, but ${problem.message}. ${problem.remedy}.`,
  );
}

/** @throws ServerError for a response that is not the site's */
async function assertAnswers(
  resource: Resource,
  response: ResourceResponse,
  examination: Examination,
): Promise<void> {
  const { planned, folder, manifest } = examination.site;
  if (isSized(manifest)) {
    const { status, bodyBytes } = response;
    if (status === resource.status && bodyBytes === resource.wireBytes) return;
    throw wrong(
      examination,
      `Expected ${resource.url} with status ${resource.status} and ${resource.wireBytes} bytes, got ${status} and ${bodyBytes} bytes. Have it serve a file of exactly that size there.`,
    );
  }
  // Servers without bounces, such as exports, send at once what was recorded behind them.
  const answers = [answerTo(resource, undefined), resource];
  const expected = answers.find(({ status }) => status === response.status);
  const body = Buffer.from(response.bodyBase64, 'base64');
  const another = (what: string, got: string) =>
    wrong(
      examination,
      `It serves another site than ${planned.subject}: expected ${resource.url} with ${what}, got ${got}. Have it serve the files of the site: npm run export -- ${shellWord(planned.subject)} --to files writes them.`,
    );
  if (expected === undefined) throw another(`status ${answers[0]?.status}`, `${response.status}`);
  if (expected.body === null || expected.sha256 === digestOf(body)) return;
  const recorded = await readPlainFile(path.join(folder, expected.body));
  const ours = decodedBody(expected.contentEncoding, recorded) ?? recorded;
  const theirs = decodedBody(fieldOf(response, 'content-encoding'), body);
  if (theirs === null) throw another(bytesText(ours), `more than ${IMPORT_LIMITS.bodyBytes} bytes`);
  // The same document, compressed by another program.
  if (digestOf(ours) === digestOf(theirs)) return;
  throw another(bytesText(ours), bytesText(theirs));
}

/** @throws ServerError when browsers that arrive over HTTP/2 would never switch to HTTP/3 */
function assertAdvertisesHttp3(
  { url }: Resource,
  response: ResourceResponse,
  examination: ProtocolExamination,
): void {
  if (!offersBoth(examination.stack.protocol) || isOverQuic(examination.protocol)) return;
  const { hostname: host, port } = new URL(url);
  const altSvc = fieldOf(response, 'alt-svc');
  const origin = { host, port: Number(port || 443) };
  if (
    readAltSvc(altSvc ?? '').some((each) => each.port === origin.port && isUsable(each, origin))
  ) {
    return;
  }
  throw wrong(
    examination,
    `Expected the response to ${url} over HTTP/2 to have alt-svc: h3=":${origin.port}", with the port of that URL, got ${altSvc ?? 'no alt-svc'}. Without it browsers never use HTTP/3.`,
  );
}

/** null: the decoded body exceeds the limit of a site. */
function decodedBody(coding: string | null, body: Uint8Array): Uint8Array | null {
  try {
    return checkCoding(coding, body, IMPORT_LIMITS.bodyBytes).decoded;
  } catch (error) {
    if (error instanceof BodyTooLargeError) return null;
    throw error;
  }
}

function bytesText(body: Uint8Array): string {
  return `${body.length} bytes (SHA-256 ${digestOf(body).slice(0, 12)}...)`;
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function fieldOf({ headers }: ResourceResponse, name: string): string | null {
  return headers.find(([each]) => each === name)?.[1] ?? null;
}

function wrong({ stack, url }: Pick<Examination, 'stack' | 'url'>, what: string): ServerError {
  return new ServerError(`${stack.stack} at ${url} cannot be measured. ${what}`, stack.stack);
}
