import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { bun } from '../../clients/bun/client.ts';
import { type AskedBody, type BodyGot, getBody } from '../../clients/getter.ts';
import { clientCommand } from '../../clients/index.ts';
import { addressText, authorityText, hostOf } from '../../ground/options/hosts.ts';
import type { Given, Values } from '../../ground/options/row.ts';
import { trustOf } from '../../ground/options/trust.ts';
import { valuesOf } from '../../ground/options/values.ts';
import { type PageVia, type Via, WAYS } from '../../ground/records/via.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { printable } from '../../ground/system/printed.mjs';
import { shellWord } from '../../ground/system/shell-word.ts';
import { countText, millisecondsText, rateText } from '../../kit/text/number.ts';
import { type Machine, readMachine } from '../../runner/machine.ts';
import { askedOfSite } from './asked.ts';
import { GET_OPTIONS } from './get-options.ts';
import type { ByHand } from './measured-path.ts';
import { proofLines } from './proof.ts';
import { withSiteByHand } from './site.ts';
import { SITE_BY_HAND_OPTIONS } from './site-options.ts';
import { lookUp, readUrl, siteOfUrl } from './url.ts';
import { versionFor } from './versions.ts';

type GetValues = Values<typeof GET_OPTIONS>;

/** Where the body goes, who is told what it took, and by whom it is stopped. */
interface Surroundings extends ByHand {
  output: Writable;
  /** What leads the program that gets it to where it is to be run; left out: nothing. */
  enter?: readonly string[];
}

/** How a version of HTTP is agreed on, and the ways to ask by it: a server may well have no newer TLS than 1.2. */
const VERSIONS: Readonly<Record<PageVia, Pick<AskedBody, 'alpn'> & { vias: readonly Via[] }>> = {
  h3: { alpn: 'h3', vias: ['quic'] },
  h2: { alpn: 'h2', vias: ['tls1.3', 'tls1.2'] },
  'h1.1': { alpn: 'http/1.1', vias: ['tls1.3', 'tls1.2'] },
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
  given: Given,
  surroundings: Surroundings,
): Promise<number> {
  const values = valuesOf(GET_OPTIONS, given);
  const url = readUrl(text);
  const got =
    values.stack === null
      ? await getLive(url, values, surroundings)
      : await getCached(url, values, given, surroundings);
  // Whoever read the body has enough of it.
  if (got === null) return EXIT.ok;
  for (const line of toldLines(got)) surroundings.say(line);
  return statusOf(got);
}

async function getLive(
  url: URL,
  values: GetValues,
  surroundings: Surroundings,
): Promise<Got | null> {
  const machine = readMachine();
  const { host, port } = hostOf(url.href);
  const { resolve } = values;
  const found = resolve
    ? { addresses: [resolve.ip], lookupMs: null }
    : await lookUp(host, values.timeout * 1000, surroundings.signal);
  const addresses = found.addresses.map((ip) =>
    addressText({ host: ip, port: resolve?.port ?? port }),
  );
  const asked = askedOf(url, values, {
    version: values.via ?? 'h3',
    trust: trustOf(values),
    isLive: true,
  });
  const got = await getFrom(addresses, asked, commandOf(machine), surroundings);
  return got && { ...got, lookupMs: found.lookupMs };
}

async function getCached(
  url: URL,
  values: GetValues,
  given: Given,
  surroundings: Surroundings,
): Promise<Got | null> {
  const site = siteOfUrl(url, values.site);
  const ofSite = Object.entries(given).filter(([name]) => name in SITE_BY_HAND_OPTIONS);
  const asked = askedOfSite(site, Object.fromEntries(ofSite));
  const [stack] = asked.options.stacks;
  if (!stack) throw new Error('no stack');
  const version = versionFor(stack, values.via);
  const { say } = surroundings;
  return withSiteByHand(asked, surroundings, async (served) => {
    const { server, path, machine, authorityFile } = served;
    for (const line of proofLines(served.calibration, asked.condition)) say(line);
    const address = server.origins[url.host] ?? '';
    return getFrom(
      [address],
      askedOf(url, values, { version, trust: authorityFile, isLive: false }),
      commandOf(machine),
      { ...surroundings, enter: path.agent.enter('client') },
    );
  });
}

function askedOf(
  url: URL,
  { header, timeout, 'key-exchange': keyExchange }: GetValues,
  { version, ...how }: Pick<Asked, 'isLive' | 'trust'> & { version: PageVia },
): Asked {
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
  asked: Asked,
  command: readonly string[],
  surroundings: Surroundings,
): Promise<Got | null> {
  let last: Got | null = null;
  for (const address of addresses) {
    for (const via of asked.vias) {
      const { vias: _, url: __, isLive: ___, ...resource } = asked;
      const got: BodyGot | null = await getBody(
        command,
        { ...resource, via, address },
        surroundings,
      );
      if (got === null) return null;
      last = { asked, via, address, lookupMs: null, got };
      if (got.error?.code !== 'protocol_version') break;
    }
    const layer = last?.got.error?.layer;
    if (layer !== 'tcp' && layer !== 'udp') break;
  }
  return last;
}

interface Asked extends Omit<AskedBody, 'via' | 'address'> {
  url: string;
  /** Whether the server is nothing of this project. */
  isLive: boolean;
  /** The ways to ask by, the usual one first. */
  vias: readonly Via[];
}

export interface Got {
  asked: Asked;
  via: Via;
  /** `ip:port` that was asked last. */
  address: string;
  /** How long the name was looked up; null: it was not. */
  lookupMs: number | null;
  got: BodyGot;
}

type Row = [what: string, found: string];

/** The exit status that tells whether all of the answer came, and is no error. */
export function statusOf(result: Got): number {
  const { error, facts } = result.got;
  if (error?.layer === 'client') return EXIT.machine;
  const isFine = problemOf(result) === null && (facts.status ?? 0) < 400;
  return isFine ? EXIT.ok : EXIT.server;
}

/** What was asked, what came and how long it took, as lines for a person; and why there is no more, if there is not. */
export function toldLines(result: Got): string[] {
  const { asked, via, address, got } = result;
  const problem = problemOf(result);
  const rows = [...answerRows(got), ...connectionRows(got, via), ...timeRows(result)];
  const widest = Math.max(0, ...rows.map(([what]) => what.length));
  const fields = Object.entries(asked.fields).map(([name, value]) => `${name}: ${value}`);
  return [
    `GET ${asked.url} by ${asked.alpn} from ${address}, with ${fields.join(', ')}`,
    ...rows.map(([what, found]) => `  ${what.padEnd(widest)}  ${found}`),
    ...(problem === null ? [] : [problem]),
  ].map(printable);
}

/** Why the answer is not whole; null: it is. */
function problemOf({ asked, got }: Got): string | null {
  const { error, facts, headers, receivedBytes } = got;
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
  return `${error.reason}${remedyOf(got, asked)}`;
}

function remedyOf({ error, facts }: BodyGot, { isLive, alpn, trust, url }: Asked): string {
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

function answerRows({ facts, headers, receivedBytes }: BodyGot): Row[] {
  if (facts.status === null) return [];
  const told = ['location', 'content-type', 'content-encoding'].flatMap((name): Row[] => {
    const value = fieldOf(headers, name);
    return value === undefined ? [] : [[name, value]];
  });
  return [['status', `${facts.status}`], ...told, ['body', `${countText(receivedBytes)} bytes`]];
}

function connectionRows({ facts }: BodyGot, via: Via): Row[] {
  const { tlsVersion, cipher, group } = facts;
  if (tlsVersion === null) return [];
  const transport = via === 'quic' ? WAYS.quic.label : WAYS.tcp.label;
  const parts = [transport, tlsVersion, cipher, group].filter((each) => each !== null);
  return [['connection', `${parts.join(', ')}; a full handshake`]];
}

/** The look-up of the name, which was before; all others are since the connection was asked for. */
function timeRows({ lookupMs, got }: Got): Row[] {
  const { tcpMs, maySendMs, firstByteMs, totalMs, receivedBytes, error } = got;
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

function fieldOf(headers: BodyGot['headers'], name: string): string | undefined {
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
