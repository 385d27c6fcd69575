import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pinOf } from '../../../certs/authority.ts';
import { bun } from '../../../clients/bun/client.ts';
import { Failure, failureOf } from '../../../clients/connection-failure.ts';
import {
  quicConnector,
  type TargetResource,
  type TargetServer,
} from '../../../clients/quic-connector.ts';
import type { Verification } from '../../../clients/refusals.ts';
import type { BrowserKind } from '../../../ground/browser-kind.ts';
import { authorityText } from '../../../ground/options/hosts.ts';
import type { ConnectionFacts, FailureReason } from '../../../ground/records/connection-attempt.ts';
import type { HttpsRecord } from '../../../ground/records/probe.ts';
import { readPlainTextSync } from '../../../ground/system/plain-file.ts';
import { readAltSvc } from '../../../runner/alt-svc.ts';
import type { Machine } from '../../../runner/machine.ts';
import { addressOf, tryTcp } from '../../probe/addresses.ts';
import { answerOver, type HttpAnswer } from '../../probe/http-answer.ts';
import { requestHttpsRecords } from '../../probe/name-server.ts';
import { requestVersions } from '../../probe/quic-questions.ts';
import { chainOf, withHandshake } from '../../probe/tls-handshake.ts';
import { loadInChromium, type Mode, type PageLoads } from './chromium.ts';
import { loadInFirefox } from './firefox.ts';
import type { Origin } from './origin.ts';

export type Answer<T> = { value: T; failure: null } | { value: null; failure: FailureReason };

interface TlsAnswer {
  version: string;
  /** Empty: no protocol was selected. */
  alpn: string;
  /** DER, the leaf first. */
  chain: Buffer[];
}

/** The browser that is examined. */
interface ExaminedBrowser {
  kind: BrowserKind;
  program: string;
  /** PEM file of authorities that it trusts, for Firefox alone; null: none. */
  authorities: string | null;
}

export interface OriginAnswers {
  browser: BrowserKind;
  origin: Origin;
  at: Date;
  /** The first that TCP reaches is examined, else the first. */
  addresses: Answer<string[]>;
  /** null: not examined, because the name has no address. */
  server: ServerAnswers | null;
  /** The browser's verdict on certificates over QUIC that differ from those over TCP; null: same or none received. */
  otherOverQuic: Verification | null;
  /** Proxy of the environment, which the browser would use; null: no proxy. */
  proxy: string | null;
  /** Settings of this machine that forbid QUIC. */
  policies: string[];
  /** Accepted in all modes but the first: base64 SHA-256 of public keys. */
  pins: string[];
  loads: Record<Mode, PageLoads>;
}

export interface ServerAnswers {
  address: string;
  tls: Answer<TlsAnswer>;
  http: Answer<HttpAnswer>;
  /** null: not requested, because the browser would not request them either. */
  httpsRecords: Answer<HttpsRecord[]> | null;
  /** The port of Alt-Svc, else the origin's; the origin's also if QUIC answers only there. */
  quicPort: number;
  /** Results at the port of Alt-Svc if QUIC answers only at the origin's; null: Alt-Svc is right, or QUIC answers nowhere. */
  misnamed: { port: number; quic: QuicAnswer[] } | null;
  /** One per address, in their order. */
  quic: QuicAnswer[];
}

export interface QuicAnswer {
  address: string;
  /** From version negotiation: the client offers a version that does not exist. */
  versions: Answer<string[]>;
  http3: Answer<ConnectionFacts>;
}

/** Per question: servers answer within a few round trips, or not at all. */
const TIMEOUT_MS = 5_000;

const LOADERS = { chromium: loadInChromium, firefox: loadInFirefox };

/** Checks every step to HTTP/3, and loads the page in the browser. */
export async function examineOrigin(
  origin: Origin,
  machine: Pick<Machine, 'bun'>,
  { kind, program, authorities }: ExaminedBrowser,
  signal: AbortSignal,
): Promise<OriginAnswers> {
  const addresses = await captureFailure(signal, 'dns', () => addressesOf(origin, signal));
  const server = addresses.value && (await examineServer(origin, addresses.value, machine, signal));
  const leaf = server?.tls.value?.chain[0];
  const pins = leaf === undefined ? [] : [pinOf(leaf)];
  const load = (mode: Mode) =>
    LOADERS[kind](program, origin, { way: mode, pins, authorities, signal });
  const asIs = await load('as-is');
  // A TLS 1.2 server that refuses this client has shown the browser its certificate.
  const shown = asIs.verifications[0]?.chain[0];
  if (leaf === undefined && shown !== undefined) pins.push(pinOf(shown));
  // The certificate over QUIC may differ, or be the only one.
  let otherOverQuic: Verification | null = null;
  const acceptingOther = async (mode: Mode) => {
    const loads = await load(mode);
    const other = otherThan(pins, loads);
    if (other === null) return loads;
    otherOverQuic ??= other;
    pins.push(...other.chain.slice(0, 1).map((leaf) => pinOf(leaf)));
    return load(mode);
  };
  const forced = await acceptingOther('forced');
  // In this mode the browser connects to the port of Alt-Svc, where another server may be. Otherwise a new certificate is that of a redirect.
  const isElsewhere = server !== null && server.quicPort !== origin.port;
  const accepted = await (isElsewhere ? acceptingOther : load)('accepted');
  return {
    browser: kind,
    origin,
    at: new Date(),
    addresses,
    server,
    otherOverQuic,
    proxy: proxyOf(process.env),
    policies: asIs.forbidding ?? readPolicies(program),
    pins,
    loads: { 'as-is': asIs, accepted, forced },
  };
}

function otherThan(pins: readonly string[], { verifications }: PageLoads): Verification | null {
  const isOther = ({ chain: [leaf] }: Verification) => leaf && !pins.includes(pinOf(leaf));
  return verifications.find(isOther) ?? null;
}

function proxyOf(environment: NodeJS.ProcessEnv): string | null {
  const names = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];
  return names.map((name) => environment[name]).find(Boolean) ?? null;
}

async function captureFailure<T>(
  signal: AbortSignal,
  layer: FailureReason['layer'],
  request: () => Promise<T>,
): Promise<Answer<T>> {
  try {
    return { value: await request(), failure: null };
  } catch (error) {
    signal.throwIfAborted();
    const { layer: at, code, reason } = failureOf(error, layer);
    // The reason becomes part of a sentence.
    return { value: null, failure: { layer: at, code, reason: reason.replace(/\.$/, '') } };
  }
}

async function addressesOf({ host, resolve }: Origin, signal: AbortSignal): Promise<string[]> {
  if (resolve !== null) return [resolve];
  // Browsers never resolve this name, even if the hosts file has it.
  if (/(^|\.)localhost$/.test(host)) return ['::1', '127.0.0.1'];
  const families = (['ipv6', 'ipv4'] as const).map((family) =>
    addressOf(host, family, TIMEOUT_MS, signal),
  );
  const settled = await Promise.allSettled(families);
  const found = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (found.length > 0) return found;
  // Each family reports an error of the name; that one family is missing is not an error.
  const reasons = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  throw reasons.find((each) => failureOf(each, 'dns').layer === 'dns') ?? reasons[0];
}

async function examineServer(
  origin: Origin,
  addresses: readonly string[],
  machine: Pick<Machine, 'bun'>,
  signal: AbortSignal,
): Promise<ServerAnswers> {
  const { host, port } = origin;
  const reached = await Promise.all(
    addresses.map((address) =>
      captureFailure(signal, 'tcp', () => tryTcp({ address, port }, TIMEOUT_MS, signal)),
    ),
  );
  const at = reached.findIndex(({ failure }) => failure === null);
  const address = addresses[Math.max(at, 0)] as string;
  const server: TargetServer = { host, port, address, timeoutMs: TIMEOUT_MS, signal };
  const [{ tls, http }, httpsRecords] = await Promise.all([
    requestOverTcp(origin, server),
    origin.resolve === null
      ? captureFailure(signal, 'dns', () => requestHttpsRecords(origin, TIMEOUT_MS, signal))
      : null,
  ]);
  const h3 = readAltSvc(http.value?.altSvc ?? '').find(({ protocol }) => protocol === 'h3');
  const quicPort = h3?.port ?? port;
  const clients = quicConnector([machine.bun, bun.connect.program]);
  const probeOverQuic = async (each: string, atPort: number): Promise<QuicAnswer> => {
    const place = { ...server, address: each, port: atPort };
    const [versions, http3] = await Promise.all([
      captureFailure(signal, 'udp', () => requestVersions(place, TIMEOUT_MS, signal)),
      captureFailure(signal, 'quic', () => clients.connect(place, targetOf(origin))),
    ]);
    return { address: each, versions, http3 };
  };
  try {
    const probeAll = (atPort: number) =>
      Promise.all(addresses.map((each) => probeOverQuic(each, atPort)));
    const quic = await probeAll(quicPort);
    const found = { address, tls, http, httpsRecords, quicPort, quic, misnamed: null };
    if (quicPort === port || quic.some(speaksHttp3)) return found;
    const own = await probeAll(port);
    const isThere = own.some(answersUdp) && !quic.some(answersUdp);
    if (!isThere && !own.some(speaksHttp3)) return found;
    return { ...found, quicPort: port, quic: own, misnamed: { port: quicPort, quic } };
  } finally {
    await clients.close();
  }
}

/** Refused by the host or by this machine: definite without the client. */
const REFUSED = ['ECONNREFUSED', 'EPERM', 'EACCES'];

/** Whether any datagram came back; undefined: not known, because the client could not run. */
export function answersUdp({ versions, http3 }: QuicAnswer): boolean | undefined {
  const layers = [versions, http3].map(({ failure }) => failure?.layer);
  if (layers.some((layer) => layer !== 'udp' && layer !== 'client')) return true;
  const isKnown = !layers.includes('client') || REFUSED.includes(versions.failure?.code ?? '');
  return isKnown ? false : undefined;
}

/** If the handshake client is missing, an answer to version negotiation counts. */
function speaksHttp3({ versions, http3: { value, failure } }: QuicAnswer): boolean {
  if (value !== null || failure.layer === 'http') return true;
  return failure.layer === 'client' && versions.value !== null;
}

/** The request names the origin also when QUIC has another port. */
function targetOf(origin: Origin): TargetResource {
  return { authority: authorityText(origin), path: origin.path };
}

const OFFER = {
  versions: ['TLSv1.2', 'TLSv1.3'],
  protocols: ['h2', 'http/1.1'],
  takesSmallKeys: true,
} as const;

async function requestOverTcp(origin: Origin, server: TargetServer) {
  const { signal } = server;
  let http: Answer<HttpAnswer> = { value: null, failure: NOT_REQUESTED };
  const tls = await captureFailure(signal, 'tls', () =>
    withHandshake(server, OFFER, async (socket) => {
      const answer: TlsAnswer = {
        version: (socket.getProtocol() ?? '').replace('TLSv', 'TLS '),
        alpn: socket.alpnProtocol || '',
        chain: chainOf(socket),
      };
      http = await captureFailure(signal, 'http', () =>
        answerOver(socket, targetOf(origin), TIMEOUT_MS, signal),
      );
      return answer;
    }),
  );
  return { tls, http: http as Answer<HttpAnswer> };
}

const NOT_REQUESTED = new Failure('http', 'not-tried', 'there was no connection for the request');

/** Folders of the machine-wide policies of each browser. */
const CHROME = '/etc/opt/chrome/policies';
const CHROMIUM = '/etc/chromium/policies';
const KINDS = ['managed', 'recommended'];

function readPolicies(browser: string): string[] {
  const folder = path.basename(browser).includes('chrome') ? CHROME : CHROMIUM;
  return KINDS.flatMap((kind) => filesIn(path.join(folder, kind)))
    .filter(forbidsQuic)
    .map((file) => `QuicAllowed is false in ${file}`);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    // Without the folder there are no policies.
    return [];
  }
}

function forbidsQuic(file: string): boolean {
  try {
    return JSON.parse(readPlainTextSync(file)).QuicAllowed === false;
  } catch {
    // The browser cannot read it either.
    return false;
  }
}
