import { ensureCertificates } from '../certs/certificates.ts';
import { addressOfHost } from '../network/addresses.ts';
import type { Path } from '../network/path.ts';
import type { RunChoices } from '../records/run.ts';
import { SENDER_STEP_MS } from '../records/transfer.ts';
import type { Stack } from '../servers/stack.ts';
import type { Machine } from './machine.ts';
import type { Reaches } from './own-server/reach.ts';
import { ownServer } from './own-server/server.ts';
import { onCores } from './pinning.ts';
import type { SiteToLoad } from './plan.ts';
import type { ServersOptions } from './servers.ts';

/** What a site's servers are started with. */
export interface SiteServers {
  stacks: readonly Stack[];
  machine: Machine;
  choices: RunChoices;
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
  { stacks, machine, choices, path, reaches, logsFolder, keysFolder, signal }: SiteServers,
): Promise<ServersOptions> {
  const pinned = choices.pinned ? onCores(choices.pinned.serverCores) : [];
  const shared = choices.origins === 'shared';
  return {
    machine,
    stacks,
    logsFolder,
    signal,
    site: site.planned.subject,
    siteFolder: site.folder,
    addresses: Object.fromEntries(
      site.hosts.map((host, index) => [host, addressOfHost(shared ? 0 : index)]),
    ),
    // Hosts that share an address share a port too, or a browser could not see that they may share a connection.
    ...(shared ? { firstPort: FIRST_SHARED_PORT } : {}),
    thinkTime: choices.thinkTime,
    ...((choices.transfers || choices.flows) && { sampleMs: SENDER_STEP_MS }),
    subResources: choices.subResources,
    document: choices.document,
    congestionControl: choices.congestionControl,
    certsFolder: await ensureCertificates(
      site.hosts,
      { chain: choices.certificateChain, origins: choices.origins },
      keysFolder,
    ),
    enter: [...path.agent.enter('server'), ...pinned],
    own: (stack) => ownServer(stack, { site, reaches, path, machine, choices, signal }),
  };
}

/** Nothing else listens in the servers' namespace. */
const FIRST_SHARED_PORT = 4430;
