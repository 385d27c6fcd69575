import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pinOf } from '../../../certs/authority.ts';
import { bun } from '../../../clients/bun/client.ts';
import type { Verification } from '../../../clients/chromium/net-log/refusals.ts';
import { Failure, failureOf } from '../../../clients/connection-failure.ts';
import {
  quicConnector,
  type TargetResource,
  type TargetServer,
} from '../../../clients/quic-connector.ts';
import { authorityText } from '../../../ground/options/hosts.ts';
import type { ConnectionFacts, FailureReason } from '../../../ground/records/connection-attempt.ts';
import type { HttpsRecord } from '../../../ground/records/probe.ts';
import { readPlainTextSync } from '../../../ground/system/plain-file.ts';
import { readAltSvc } from '../../../runner/alt-svc.ts';
import type { Machine } from '../../../runner/machine.ts';
import { addressOf, tryTcp } from '../../probe/addresses.ts';
import { answerOver, type HttpAnswer } from '../../probe/http-answer.ts';
import { askHttpsRecords } from '../../probe/name-server.ts';
import { askVersions } from '../../probe/quic-questions.ts';
import { chainOf, withHandshake } from '../../probe/tls-handshake.ts';
import { loadInChromium, type Mode, type PageLoads } from './chromium.ts';
import type { Origin } from './origin.ts';

export type Answer<T> = { value: T; failure: null } | { value: null; failure: FailureReason };

interface TlsAnswer {
  version: string;
  /** Empty: none was picked. */
  alpn: string;
  /** DER, the leaf first. */
  chain: Buffer[];
}

export interface OriginAnswers {
  origin: Origin;
  at: Date;
  /** Those of the name; the first that TCP reaches is asked, or else the first. */
  addresses: Answer<string[]>;
  /** null: not asked, since the name has no address. */
  server: ServerAnswers | null;
  /** What Chromium found of the certificates that came over QUIC, if they are others than over TCP; null: they are not, or none came. */
  otherOverQuic: Verification | null;
  /** What the environment has Chromium ask in place of the server; null: nothing. */
  proxy: string | null;
  /** Files with policies of this machine that forbid QUIC. */
  policies: string[];
  /** Accepted for the ways but the first: base64 SHA-256 of public keys. */
  pins: string[];
  loads: Record<Mode, PageLoads>;
}

export interface ServerAnswers {
  address: string;
  tls: Answer<TlsAnswer>;
  http: Answer<HttpAnswer>;
  /** null: not asked, since Chromium would not ask either. */
  httpsRecords: Answer<HttpsRecord[]> | null;
  /** The port that QUIC was asked at: that of Alt-Svc, or else the origin's, also if QUIC answers there alone. */
  quicPort: number;
  /** What was answered at the port of Alt-Svc, if QUIC answers at the origin's in its place; null: it does not. */
  misnamed: { port: number; quic: QuicAnswer[] } | null;
  /** At each of the addresses, in their order. */
  quic: QuicAnswer[];
}

export interface QuicAnswer {
  address: string;
  /** The versions that it names when it is asked for none that exists. */
  versions: Answer<string[]>;
  http3: Answer<ConnectionFacts>;
}

/** Of each question: who answers at all does so within a few round trips. */
const TIMEOUT_MS = 5_000;

/** Asks a server about every step on the way to HTTP/3, and has Chromium load the page. */
export async function examineOrigin(
  origin: Origin,
  machine: Pick<Machine, 'chromium' | 'bun'>,
  signal: AbortSignal,
): Promise<OriginAnswers> {
  const addresses = await captureFailure(signal, 'dns', () => addressesOf(origin, signal));
  const server = addresses.value && (await examineServer(origin, addresses.value, machine, signal));
  const leaf = server?.tls.value?.chain[0];
  const pins = leaf === undefined ? [] : [pinOf(leaf)];
  const load = (mode: Mode) =>
    loadInChromium(machine.chromium, origin, { way: mode, pins, signal });
  const asIs = await load('as-is');
  // By TLS 1.2 a server that refuses this client has shown Chromium its certificate all the same.
  const shown = asIs.verifications[0]?.chain[0];
  if (leaf === undefined && shown !== undefined) pins.push(pinOf(shown));
  // The certificate over QUIC may be another one, or the only one.
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
  // This way Chromium asks at the port that Alt-Svc names, where another server may be. Else what is new is that of a redirect.
  const isElsewhere = server !== null && server.quicPort !== origin.port;
  const accepted = await (isElsewhere ? acceptingOther : load)('accepted');
  return {
    origin,
    at: new Date(),
    addresses,
    server,
    otherOverQuic,
    proxy: proxyOf(process.env),
    policies: readPolicies(machine.chromium),
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
  ask: () => Promise<T>,
): Promise<Answer<T>> {
  try {
    return { value: await ask(), failure: null };
  } catch (error) {
    signal.throwIfAborted();
    const { layer: at, code, reason } = failureOf(error, layer);
    // It goes into a sentence.
    return { value: null, failure: { layer: at, code, reason: reason.replace(/\.$/, '') } };
  }
}

async function addressesOf({ host, resolve }: Origin, signal: AbortSignal): Promise<string[]> {
  if (resolve !== null) return [resolve];
  // Chromium looks this name up nowhere, whatever the machine's files say of it.
  if (/(^|\.)localhost$/.test(host)) return ['::1', '127.0.0.1'];
  const families = (['ipv6', 'ipv4'] as const).map((family) =>
    addressOf(host, family, TIMEOUT_MS, signal),
  );
  const settled = await Promise.allSettled(families);
  const found = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (found.length > 0) return found;
  // What is wrong with the name is told by either; that an address is of one family alone by none.
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
      ? captureFailure(signal, 'dns', () => askHttpsRecords(origin, TIMEOUT_MS, signal))
      : null,
  ]);
  const h3 = readAltSvc(http.value?.altSvc ?? '').find(({ protocol }) => protocol === 'h3');
  const quicPort = h3?.port ?? port;
  const clients = quicConnector([machine.bun, bun.connect.program]);
  const askOverQuic = async (each: string, atPort: number): Promise<QuicAnswer> => {
    const place = { ...server, address: each, port: atPort };
    const [versions, http3] = await Promise.all([
      captureFailure(signal, 'udp', () => askVersions(place, TIMEOUT_MS, signal)),
      captureFailure(signal, 'quic', () => clients.connect(place, targetOf(origin))),
    ]);
    return { address: each, versions, http3 };
  };
  try {
    const askAll = (atPort: number) =>
      Promise.all(addresses.map((each) => askOverQuic(each, atPort)));
    const quic = await askAll(quicPort);
    const found = { address, tls, http, httpsRecords, quicPort, quic, misnamed: null };
    if (quicPort === port || quic.some(speaksHttp3)) return found;
    const own = await askAll(port);
    if (!own.some(speaksHttp3)) return found;
    return { ...found, quicPort: port, quic: own, misnamed: { port: quicPort, quic } };
  } finally {
    await clients.close();
  }
}

/** Without the client that makes handshakes, the versions that a server names have to do. */
function speaksHttp3({ versions, http3: { value, failure } }: QuicAnswer): boolean {
  if (value !== null || failure.layer === 'http') return true;
  return failure.layer === 'client' && versions.value !== null;
}

/** The same by either way: with QUIC at another port, the request is for the origin all the same. */
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
      const told: TlsAnswer = {
        version: (socket.getProtocol() ?? '').replace('TLSv', 'TLS '),
        alpn: socket.alpnProtocol || '',
        chain: chainOf(socket),
      };
      http = await captureFailure(signal, 'http', () =>
        answerOver(socket, targetOf(origin), TIMEOUT_MS, signal),
      );
      return told;
    }),
  );
  return { tls, http: http as Answer<HttpAnswer> };
}

const NOT_REQUESTED = new Failure('http', 'not-tried', 'there was no connection to ask over');

/** Where each browser has the policies of the machine, for all who use it. */
const CHROME = '/etc/opt/chrome/policies';
const CHROMIUM = '/etc/chromium/policies';
const KINDS = ['managed', 'recommended'];

function readPolicies(browser: string): string[] {
  const folder = path.basename(browser).includes('chrome') ? CHROME : CHROMIUM;
  return KINDS.flatMap((kind) => filesIn(path.join(folder, kind))).filter(forbidsQuic);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    // No folder, no policies.
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
