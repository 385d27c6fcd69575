import type { Writable } from 'node:stream';
import { BUN_GET } from '../../clients/bun/get.ts';
import { type AskedBody, type BodyGot, getBody } from '../../clients/getter.ts';
import { addressText, authorityText, hostOf } from '../../ground/options/hosts.ts';
import type { Given, Values } from '../../ground/options/row.ts';
import { trustOf } from '../../ground/options/trust.ts';
import { valuesOf } from '../../ground/options/values.ts';
import type { PageVia, Via } from '../../ground/records/via.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { type Machine, readMachine } from '../../runner/machine.ts';
import { askedOfSite } from './asked.ts';
import { GET_OPTIONS } from './get-options.ts';
import { type Asked, type Got, statusOf, toldLines } from './got.ts';
import { lookUp } from './look-up.ts';
import type { ByHand } from './measured-path.ts';
import { proofLines } from './proof.ts';
import { withSiteByHand } from './site.ts';
import { SITE_BY_HAND_OPTIONS } from './site-options.ts';
import { readUrl, siteOfUrl } from './url.ts';
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

function commandOf({ bun }: Pick<Machine, 'bun'>): readonly string[] {
  return [bun, '--disable-warning=ExperimentalWarning', BUN_GET];
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
