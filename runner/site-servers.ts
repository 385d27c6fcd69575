import { authorityFile, ensureCertificates } from '../certs/certificates.ts';
import type { SiteToLoad } from '../experiments/subjects.ts';
import { browserKind } from '../ground/browser-kind.ts';
import { offersBoth } from '../ground/records/protocol.ts';
import type { RunChoices } from '../ground/records/run.ts';
import { SENDER_SAMPLE_MS } from '../ground/records/sender.ts';
import type { Stack } from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import { addressOfHost, MOST_HOSTS } from '../network/addresses.ts';
import type { Path } from '../network/path.ts';
import { urlOf } from '../servers/own-stack.ts';
import type { Machine } from './machine.ts';
import type { Reaches } from './own-server/reach.ts';
import { onCores } from './pinning.ts';
import type { ServersOptions } from './servers.ts';

export interface SiteServers {
  stacks: readonly Stack[];
  machine: Machine;
  choices: RunChoices;
  /** Whether servers report samples of their senders. */
  samplesSenders: boolean;
  path: Path;
  /** How the path reaches servers that run already. */
  reaches: Reaches;
  logsFolder: string;
  /** Folder of keys and certificates for this invocation alone. */
  keysFolder: string;
  signal: AbortSignal;
}

/** Options of a site's servers at their end of the path. */
export async function siteServersOptions(
  site: SiteToLoad,
  {
    stacks,
    machine,
    choices,
    samplesSenders,
    path,
    reaches,
    logsFolder,
    keysFolder,
    signal,
  }: SiteServers,
): Promise<ServersOptions> {
  const pinned = choices.pinned ? onCores(choices.pinned.serverCores) : [];
  const certificates = (origins: RunChoices['origins']) =>
    ensureCertificates(site.hosts, { chain: choices.certificateChain, origins }, keysFolder);
  const { apart, ...where } = siteAddresses(site.hosts, stacks, choices.origins);
  const sharing = stacks.some(sharesOrigin) ? { certsFolder: await certificates('shared') } : {};
  return {
    stacks,
    logsFolder,
    signal,
    site: site.planned.subject,
    siteFolder: site.folder,
    ...where,
    apart: new Map(
      [...apart].map(([stack, { addresses }]) => [
        stack,
        { addresses, ...(sharesOrigin(stack) && sharing) },
      ]),
    ),
    thinkTime: choices.thinkTime,
    ...(samplesSenders && { sampleMs: SENDER_SAMPLE_MS }),
    subResources: choices.subResources,
    document: choices.document,
    congestionControl: choices.congestionControl,
    keyExchange: choices.keyExchange,
    authority: authorityFile({ chain: choices.certificateChain }, keysFolder),
    certsFolder: await certificates(choices.origins),
    enter: [...path.agent.enter('server'), ...pinned],
    paceTcp: path.agent.paceTcp,
    own: async (stack) => {
      const { ownServer } = await import('./own-server/server.ts');
      return ownServer(stack, { site, reaches, path, machine, choices, signal });
    },
  };
}

/**
 * Maximum number of addresses for the servers of a site: isolated servers have their own, the rest share addresses and differ
 * in their ports.
 * @throws UsageError for more than the path has
 */
export function addressesNeeded(hosts: number, stacks: readonly Stack[]): number {
  const needed = hosts * (1 + stacks.filter(standsApart).length);
  if (needed <= MOST_HOSTS) return needed;
  throw new UsageError(
    `A site of this run has ${hosts} hosts, whose servers need ${needed} addresses. The path has ${MOST_HOSTS}. Name fewer stacks or browsers.`,
  );
}

/**
 * Whether browsers use the default port of a server: they find HTTP/3 by the server's name, or are Firefox, which maps no host to
 * another port. Hosts that share an address in this arm alone need another one, too.
 */
function standsApart(stack: Stack): boolean {
  const usesDefaultPort = offersBoth(stack.protocol) || browserKind(stack.browser) === 'firefox';
  return (usesDefaultPort || sharesOrigin(stack)) && urlOf(stack) === null;
}

function sharesOrigin({ settings }: Pick<Stack, 'settings'>): boolean {
  return settings?.origins === 'shared';
}

/** Addresses of a site's hosts at the servers of some stacks. */
export function siteAddresses(
  hosts: readonly string[],
  stacks: readonly Stack[],
  origins: RunChoices['origins'],
): Pick<ServersOptions, 'addresses' | 'firstPort'> & Required<Pick<ServersOptions, 'apart'>> {
  const shared = origins === 'shared';
  const setOf = (place: number, isOne = shared) =>
    Object.fromEntries(
      hosts.map((host, index) => [host, addressOfHost(place * hosts.length + (isOne ? 0 : index))]),
    );
  const apart = stacks.filter(standsApart);
  return {
    addresses: setOf(0),
    apart: new Map(
      apart.map((stack, index) => [
        stack,
        { addresses: setOf(1 + index, shared || sharesOrigin(stack)) },
      ]),
    ),
    // Hosts that share an address must share a port, or browsers cannot coalesce their connections.
    ...(shared && { firstPort: FIRST_SHARED_PORT }),
  };
}

/** Always free in the servers' namespace. */
const FIRST_SHARED_PORT = 4430;
