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

/** Where the body goes, who is told what it took, and by whom it is stopped. */
interface GetDependencies extends ManualOutput {
  output: Writable;
  /** What leads the program that gets it to where it is to be run; left out: nothing. */
  enter?: readonly string[];
}

/** How a version of HTTP is agreed on, and the ways to ask by it: a server may well have no newer TLS than 1.2. */
const VERSIONS: Readonly<
  Record<HttpVersion, Pick<BodyRequest, 'alpn'> & { transports: readonly ConnectionTransport[] }>
> = {
  h3: { alpn: 'h3', transports: ['quic'] },
  h2: { alpn: 'h2', transports: ['tls1.3', 'tls1.2'] },
  'h1.1': { alpn: 'http/1.1', transports: ['tls1.3', 'tls1.2'] },
};

/** Fields of a request unless others are given. */
const FIELDS = { accept: '*/*', 'user-agent': 'quic-vs-https' };

/**
 * Gets one resource, of a live server or of a cached site that is served for it, and tells what it took. Answers the exit status.
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
  // Whoever read the body has enough of it.
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

/** Asks one address after the other until there is a connection, or what is more than that none can be made there. */
async function getFrom(
  addresses: readonly string[],
  request: GetRequest,
  command: readonly string[],
  dependencies: GetDependencies,
): Promise<GetResult | null> {
  let last: GetResult | null = null;
  for (const address of addresses) {
    for (const via of request.transports) {
      const { transports: _, url: __, isLive: ___, ...resource } = request;
      const body: BodyResult | null = await getBody(
        command,
        { ...resource, via, address },
        dependencies,
      );
      if (body === null) return null;
      last = { request, via, address, lookupMs: null, body };
      if (body.error?.code !== 'protocol_version') break;
    }
    const layer = last?.body.error?.layer;
    if (layer !== 'tcp' && layer !== 'udp') break;
  }
  return last;
}

interface GetRequest extends Omit<BodyRequest, 'via' | 'address'> {
  url: string;
  /** Whether the server is nothing of this project. */
  isLive: boolean;
  /** The ways to ask by, the usual one first. */
  transports: readonly ConnectionTransport[];
}

export interface GetResult {
  request: GetRequest;
  via: ConnectionTransport;
  /** `ip:port` that was asked last. */
  address: string;
  /** How long the name was looked up; null: it was not. */
  lookupMs: number | null;
  body: BodyResult;
}

type Row = [what: string, found: string];

/** The exit status that tells whether all of the answer came, and is no error. */
export function statusOf(result: GetResult): number {
  const { error, facts } = result.body;
  if (error?.layer === 'client') return EXIT.machine;
  const isFine = problemOf(result) === null && (facts.status ?? 0) < 400;
  return isFine ? EXIT.ok : EXIT.server;
}

/** What was asked, what came and how long it took, as lines for a person; and why there is no more, if there is not. */
export function resultLines(result: GetResult): string[] {
  const { request, via, address, body } = result;
  const problem = problemOf(result);
  const rows = [...answerRows(body), ...connectionRows(body, via), ...timeRows(result)];
  const widest = Math.max(0, ...rows.map(([what]) => what.length));
  const fields = Object.entries(request.fields).map(([name, value]) => `${name}: ${value}`);
  return [
    `GET ${request.url} by ${request.alpn} from ${address}, with ${fields.join(', ')}`,
    ...rows.map(([what, found]) => `  ${what.padEnd(widest)}  ${found}`),
    ...(problem === null ? [] : [problem]),
  ].map(printable);
}

/** Why the answer is not whole; null: it is. */
function problemOf({ request, body }: GetResult): string | null {
  const { error, facts, headers, receivedBytes } = body;
  const length = fieldOf(headers, 'content-length');
  const ofBytes = length === undefined ? '' : ` of ${countText(Number(length))}`;
  if (error === null) {
    if (length === undefined || facts.status === 304 || receivedBytes >= Number(length))
      return null;
    return `The body is not whole: ${countText(receivedBytes)}${ofBytes} bytes came.`;
  }
  if (facts.status !== null) {
    return `${error.reason} The body is not whole: ${countText(receivedBytes)}${ofBytes} bytes came.`;
  }
  return `${error.reason}${remedyOf(body, request)}`;
}

function remedyOf({ error, facts }: BodyResult, { isLive, alpn, trust, url }: GetRequest): string {
  if (!isLive) return '';
  // Whoever agreed on all of that was found to be somebody else then.
  if (error?.layer === 'tls' && facts.tlsVersion !== null && error.code !== 'alpn') {
    return trust === null
      ? ''
      : ' --trust FILE trusts another authority, --trust none trusts anybody.';
  }
  if (alpn !== 'h3') return '';
  return ` Does it speak HTTP/3? npm run doctor -- ${shellWord(url)} tells more; --via h2 asks by TCP.`;
}

function answerRows({ facts, headers, receivedBytes }: BodyResult): Row[] {
  if (facts.status === null) return [];
  const told = ['location', 'content-type', 'content-encoding'].flatMap((name): Row[] => {
    const value = fieldOf(headers, name);
    return value === undefined ? [] : [[name, value]];
  });
  return [['status', `${facts.status}`], ...told, ['body', `${countText(receivedBytes)} bytes`]];
}

function connectionRows({ facts }: BodyResult, via: ConnectionTransport): Row[] {
  const { tlsVersion, cipher, group } = facts;
  if (tlsVersion === null) return [];
  const transport =
    via === 'quic' ? CONNECTION_TRANSPORTS.quic.label : CONNECTION_TRANSPORTS.tcp.label;
  const parts = [transport, tlsVersion, cipher, group].filter((each) => each !== null);
  return [['connection', `${parts.join(', ')}; a full handshake`]];
}

/** The look-up of the name, which was before; all others are since the connection was asked for. */
function timeRows({ lookupMs, body }: GetResult): Row[] {
  const { tcpMs, maySendMs, firstByteMs, totalMs, receivedBytes, error } = body;
  const instants: [what: string, ms: number | null][] = [
    ['TCP connected', tcpMs],
    // A server that is refused is sent none.
    ['request may leave', error?.layer === 'tls' ? null : maySendMs],
    ['first byte', firstByteMs],
    ['whole body', totalMs],
  ];
  const since = instants.flatMap(([what, ms]): Row[] =>
    ms === null ? [] : [[what, `${millisecondsText(ms)} ms`]],
  );
  const before: Row[] =
    lookupMs === null
      ? []
      : [['name looked up', `in ${millisecondsText(lookupMs)} ms, before all that follows`]];
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

/** Writes a body: its bytes to a file or pipe, and text that does not steer it to a terminal. */
export function bodyOutput<T extends Output & Writable>(output: T): Writable {
  if (!output.isTTY) return output;
  const decoder = new TextDecoder();
  return new Writable({
    write(piece, _, done) {
      output.write(bodyText(decoder.decode(piece, { stream: true })), (error) => done(error));
    },
  });
}

/** Line feeds and tabs are a body's own. */
function bodyText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : printable(part)))
    .join('');
}
