import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { bun } from '../../clients/bun/client.ts';
import { type BodyRequest, type BodyResult, getBody } from '../../clients/getter.ts';
import { clientCommand } from '../../clients/index.ts';
import { addressText, authorityText, hostOf } from '../../ground/options/hosts.ts';
import type { RawOptions, Values } from '../../ground/options/row.ts';
import { trustOf } from '../../ground/options/trust.ts';
import { valuesOf } from '../../ground/options/values.ts';
import {
  CONNECTION_TRANSPORTS,
  type ConnectionTransport,
  type HttpVersion,
} from '../../ground/records/connection-transport.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { printable } from '../../ground/system/printed.mjs';
import { shellWord } from '../../ground/system/shell-word.ts';
import { countText, millisecondsText, rateText } from '../../kit/text/number.ts';
import { type Machine, readMachine } from '../../runner/machine.ts';
import { GET_OPTIONS } from './get-options.ts';
import { readSiteRequest } from './manual-request.ts';
import type { ManualOutput } from './measure-path.ts';
import { proofLines } from './proof.ts';
import { withSiteByHand } from './site.ts';
import { SITE_BY_HAND_OPTIONS } from './site-options.ts';
import { lookUp, readUrl, siteOfUrl } from './url.ts';
import { versionFor } from './versions.ts';

type GetValues = Values<typeof GET_OPTIONS>;

/** Outputs of the body and of the lines about it. */
interface GetDependencies extends ManualOutput {
  output: Writable;
  /** Command prefix that enters the client's namespace. Default: none. */
  enter?: readonly string[];
}

/** ALPN and transports of each HTTP version, in the order to try. Servers may lack TLS 1.3. */
const VERSIONS: Readonly<
  Record<HttpVersion, Pick<BodyRequest, 'alpn'> & { transports: readonly ConnectionTransport[] }>
> = {
  h3: { alpn: 'h3', transports: ['quic'] },
  h2: { alpn: 'h2', transports: ['tls1.3', 'tls1.2'] },
  'h1.1': { alpn: 'http/1.1', transports: ['tls1.3', 'tls1.2'] },
};

/** Default request headers. */
const FIELDS = { accept: '*/*', 'user-agent': 'quic-vs-https' };

/**
 * Gets one resource, from a live server or from a cached site that it serves, and reports timings.
 * Returns the exit status.
 * @param given options of GET_OPTIONS
 * @throws UsageError, MachineError, ServerError and NetworkError; the reason of the signal when it is aborted
 */
export async function getCommand(
  text: string,
  given: RawOptions,
  dependencies: GetDependencies,
): Promise<number> {
  const values = valuesOf(GET_OPTIONS, given);
  const url = readUrl(text);
  const result =
    values.stack === null
      ? await getLive(url, values, dependencies)
      : await getCached(url, values, given, dependencies);
  // The reader closed the pipe early.
  if (result === null) return EXIT.ok;
  for (const line of resultLines(result)) dependencies.say(line);
  return statusOf(result);
}

async function getLive(
  url: URL,
  values: GetValues,
  dependencies: GetDependencies,
): Promise<GetResult | null> {
  const machine = readMachine();
  const { host, port } = hostOf(url.href);
  const { resolve } = values;
  const found = resolve
    ? { addresses: [resolve.ip], lookupMs: null }
    : await lookUp(host, values.timeout * 1000, dependencies.signal);
  const addresses = found.addresses.map((ip) =>
    addressText({ host: ip, port: resolve?.port ?? port }),
  );
  const request = createGetRequest(url, values, {
    version: values.via ?? 'h3',
    trust: trustOf(values),
    isLive: true,
  });
  const result = await getFrom(addresses, request, commandOf(machine), dependencies);
  return result && { ...result, lookupMs: found.lookupMs };
}

async function getCached(
  url: URL,
  values: GetValues,
  given: RawOptions,
  dependencies: GetDependencies,
): Promise<GetResult | null> {
  const site = siteOfUrl(url, values.site);
  const ofSite = Object.entries(given).filter(([name]) => name in SITE_BY_HAND_OPTIONS);
  const request = readSiteRequest(site, Object.fromEntries(ofSite));
  const [stack] = request.options.stacks;
  if (!stack) throw new Error('no stack');
  const version = versionFor(stack, values.via);
  const { say } = dependencies;
  return withSiteByHand(request, dependencies, async (served) => {
    const { server, path, machine, authorityFile } = served;
    for (const line of proofLines(served.calibration, request.condition)) say(line);
    const address = server.origins[url.host] ?? '';
    return getFrom(
      [address],
      createGetRequest(url, values, { version, trust: authorityFile, isLive: false }),
      commandOf(machine),
      { ...dependencies, enter: path.agent.enter('client') },
    );
  });
}

function createGetRequest(
  url: URL,
  { header, timeout, 'key-exchange': keyExchange }: GetValues,
  { version, ...how }: Pick<GetRequest, 'isLive' | 'trust'> & { version: HttpVersion },
): GetRequest {
  const host = hostOf(url.href);
  return {
    url: url.href,
    ...VERSIONS[version],
    host: host.host,
    authority: authorityText(host),
    path: `${url.pathname}${url.search}`,
    fields: { ...FIELDS, ...header },
    ...how,
    keyExchange,
    timeoutMs: timeout * 1000,
  };
}

function commandOf(machine: Pick<Machine, 'bun'>): readonly string[] {
  return clientCommand(bun, bun.get, machine.bun);
}

/** Tries the addresses in order while connecting fails, and older TLS where the server needs it. */
async function getFrom(
  addresses: readonly string[],
  request: GetRequest,
  command: readonly string[],
  dependencies: GetDependencies,
): Promise<GetResult | null> {
  let last: GetResult | null = null;
  for (const address of addresses) {
    for (const transport of request.transports) {
      const { transports: _, url: __, isLive: ___, ...resource } = request;
      const body: BodyResult | null = await getBody(
        command,
        { ...resource, transport, address },
        dependencies,
      );
      if (body === null) return null;
      last = { request, transport, address, lookupMs: null, body };
      if (body.error?.code !== 'protocol_version') break;
    }
    const layer = last?.body.error?.layer;
    if (layer !== 'tcp' && layer !== 'udp') break;
  }
  return last;
}

interface GetRequest extends Omit<BodyRequest, 'transport' | 'address'> {
  url: string;
  /** The server does not belong to this project. */
  isLive: boolean;
  /** To try in this order. */
  transports: readonly ConnectionTransport[];
}

export interface GetResult {
  request: GetRequest;
  transport: ConnectionTransport;
  /** `ip:port` of the last attempt. */
  address: string;
  /** Duration of the DNS look-up; null: no look-up was needed. */
  lookupMs: number | null;
  body: BodyResult;
}

type Row = [label: string, value: string];

/** Exit status: ok if the response is complete and its status is below 400. */
export function statusOf(result: GetResult): number {
  const { error, facts } = result.body;
  if (error?.layer === 'client') return EXIT.machine;
  const isFine = problemOf(result) === null && (facts.status ?? 0) < 400;
  return isFine ? EXIT.ok : EXIT.server;
}

/** The request, the response, its timings and any failure, as lines for a person. */
export function resultLines(result: GetResult): string[] {
  const { request, transport, address, body } = result;
  const problem = problemOf(result);
  const rows = [...responseRows(body), ...connectionRows(body, transport), ...timeRows(result)];
  const widest = Math.max(0, ...rows.map(([label]) => label.length));
  const fields = Object.entries(request.fields).map(([name, value]) => `${name}: ${value}`);
  return [
    `GET ${request.url} by ${request.alpn} from ${address}, with ${fields.join(', ')}`,
    ...rows.map(([label, value]) => `  ${label.padEnd(widest)}  ${value}`),
    ...(problem === null ? [] : [problem]),
  ].map(printable);
}

/** Why the response is not complete; null: it is complete. */
function problemOf({ request, body }: GetResult): string | null {
  const { error, facts, headers, receivedBytes } = body;
  const length = fieldOf(headers, 'content-length');
  const ofBytes = length === undefined ? '' : ` of ${countText(Number(length))}`;
  if (error === null) {
    if (length === undefined || facts.status === 304 || receivedBytes >= Number(length))
      return null;
    return `The body is incomplete: ${countText(receivedBytes)}${ofBytes} bytes received.`;
  }
  if (facts.status !== null) {
    return `${error.reason} The body is incomplete: ${countText(receivedBytes)}${ofBytes} bytes received.`;
  }
  return `${error.reason}${remedyOf(body, request)}`;
}

function remedyOf({ error, facts }: BodyResult, { isLive, alpn, trust, url }: GetRequest): string {
  if (!isLive) return '';
  // TLS parameters were agreed, so only the certificate can have failed.
  if (error?.layer === 'tls' && facts.tlsVersion !== null && error.code !== 'alpn') {
    return trust === null
      ? ''
      : ' --trust FILE trusts another authority, --trust none accepts any certificate.';
  }
  if (alpn !== 'h3') return '';
  return ` npm run doctor -- ${shellWord(url)} checks whether it speaks HTTP/3; --via h2 uses TCP.`;
}

function responseRows({ facts, headers, receivedBytes }: BodyResult): Row[] {
  if (facts.status === null) return [];
  const headerRows = ['location', 'content-type', 'content-encoding'].flatMap((name): Row[] => {
    const value = fieldOf(headers, name);
    return value === undefined ? [] : [[name, value]];
  });
  return [
    ['status', `${facts.status}`],
    ...headerRows,
    ['body', `${countText(receivedBytes)} bytes`],
  ];
}

function connectionRows({ facts }: BodyResult, transport: ConnectionTransport): Row[] {
  const { tlsVersion, cipher, group } = facts;
  if (tlsVersion === null) return [];
  const label =
    transport === 'quic' ? CONNECTION_TRANSPORTS.quic.label : CONNECTION_TRANSPORTS.tcp.label;
  const parts = [label, tlsVersion, cipher, group].filter((each) => each !== null);
  return [['connection', `${parts.join(', ')}; full handshake`]];
}

/** The look-up comes before the connection; all times count from the start of the connection. */
function timeRows({ lookupMs, body }: GetResult): Row[] {
  const { tcpMs, maySendMs, firstByteMs, totalMs, receivedBytes, error } = body;
  const instants: [label: string, ms: number | null][] = [
    ['TCP connected', tcpMs],
    // No request is sent to a server whose certificate is rejected.
    ['request may leave', error?.layer === 'tls' ? null : maySendMs],
    ['first byte', firstByteMs],
    ['complete body', totalMs],
  ];
  const since = instants.flatMap(([label, ms]): Row[] =>
    ms === null ? [] : [[label, `${millisecondsText(ms)} ms`]],
  );
  const before: Row[] =
    lookupMs === null
      ? []
      : [['DNS look-up', `${millisecondsText(lookupMs)} ms, not included below`]];
  const rows = [...before, ...since];
  if (totalMs === null || maySendMs === null || receivedBytes === 0) return rows;
  // Bits per ms are kbit/s.
  const kbps = (receivedBytes * 8) / (totalMs - maySendMs);
  return [...rows, ['goodput', `${rateText(kbps)} since the request`]];
}

function fieldOf(headers: BodyResult['headers'], name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1];
}

type Output = Pick<WriteStream, 'write'> & { isTTY?: boolean };

/** Writes a body unchanged to a file or pipe, and without control characters to a terminal. */
export function bodyOutput<T extends Output & Writable>(output: T): Writable {
  if (!output.isTTY) return output;
  const decoder = new TextDecoder();
  return new Writable({
    write(piece, _, done) {
      output.write(bodyText(decoder.decode(piece, { stream: true })), (error) => done(error));
    },
  });
}

/** Keeps line feeds and tabs. */
function bodyText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : printable(part)))
    .join('');
}
