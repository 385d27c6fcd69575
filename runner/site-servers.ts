import { ensureCertificates } from '../certs/certificates.ts';
import type { SiteToLoad } from '../experiments/subjects.ts';
import { offersBoth } from '../ground/records/protocol.ts';
import type { RunChoices } from '../ground/records/run.ts';
import { SENDER_SAMPLE_MS } from '../ground/records/sender.ts';
import type { Stack } from '../ground/stack.ts';
import { addressOfHost } from '../network/addresses.ts';
import type { Path } from '../network/path.ts';
import { urlOf } from '../servers/own-stack.ts';
import type { Machine } from './machine.ts';
import type { Reaches } from './own-server/reach.ts';
import { onCores } from './pinning.ts';
import type { ServersOptions } from './servers.ts';

/** What a site's servers are started with. */
export interface SiteServers {
  stacks: readonly Stack[];
  machine: Machine;
  choices: RunChoices;
  /** Whether servers tell what their senders do. */
  samplesSenders: boolean;
  path: Path;
  /** Where servers that run already are. */
  reaches: Reaches;
  logsFolder: string;
  /** Where the keys and certificates of this invocation are made, for it alone. */
  keysFolder: string;
  signal: AbortSignal;
}

/** The servers of a site at its end of the path. */
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
  return {
    stacks,
    logsFolder,
    signal,
    site: site.planned.subject,
    siteFolder: site.folder,
    ...siteAddresses(site.hosts, stacks, choices.origins),
    thinkTime: choices.thinkTime,
    ...(samplesSenders && { sampleMs: SENDER_SAMPLE_MS }),
    subResources: choices.subResources,
    document: choices.document,
    congestionControl: choices.congestionControl,
    keyExchange: choices.keyExchange,
    certsFolder: await ensureCertificates(
      site.hosts,
      { chain: choices.certificateChain, origins: choices.origins },
      keysFolder,
    ),
    enter: [...path.agent.enter('server'), ...pinned],
    own: async (stack) => {
      const { ownServer } = await import('./own-server/server.ts');
      return ownServer(stack, { site, reaches, path, machine, choices, signal });
    },
  };
}

/**
 * How many addresses the servers of a site need at most: those that stand apart have some of their own, all others share them and differ
 * in their ports.
 */
export function addressesNeeded(hosts: number, stacks: readonly Stack[]): number {
  return hosts * (1 + stacks.filter(standsApart).length);
}

/** Browsers find such a server by name, and take the port that a name alone means. */
function standsApart(stack: Stack): boolean {
  return offersBoth(stack.protocol) && urlOf(stack) === null;
}

/** Where the servers of some stacks answer for a site's hosts. */
export function siteAddresses(
  hosts: readonly string[],
  stacks: readonly Stack[],
  origins: RunChoices['origins'],
): Pick<ServersOptions, 'addresses' | 'apart' | 'firstPort'> {
  const shared = origins === 'shared';
  const setOf = (place: number) =>
    Object.fromEntries(
      hosts.map((host, index) => [
        host,
        addressOfHost(place * hosts.length + (shared ? 0 : index)),
      ]),
    );
  const apart = stacks.filter(standsApart);
  return {
    addresses: setOf(0),
    apart: new Map(apart.map((stack, index) => [stack, setOf(1 + index)])),
    // Hosts that share an address share a port too, or a browser could not see that they may share a connection.
    ...(shared && { firstPort: FIRST_SHARED_PORT }),
  };
}

/** Nothing else listens in the servers' namespace. */
const FIRST_SHARED_PORT = 4430;
