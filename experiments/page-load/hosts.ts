import { speaksHttp3 } from '../../cache/http3.ts';
import {
  type HostChoice,
  type HostsByProtocol,
  hostNames,
  http2ArmOf,
} from '../../ground/records/hosts-by-protocol.ts';
import { isOverQuic, offersBoth } from '../../ground/records/protocol.ts';
import type { PlanRecord } from '../../ground/records/run.ts';
import type { Stack } from '../../ground/stack.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { shellWord } from '../../ground/system/shell-word.ts';
import type { SiteToLoad } from '../subjects.ts';

/**
 * Chooses the hosts of each site that use HTTP/3; undefined: all.
 * @param choice absent: as recorded if every site has these facts, otherwise all
 * @throws UsageError without these facts, or when the page itself would not use HTTP/3
 */
export async function chooseHosts(
  sites: readonly SiteToLoad[],
  choice: HostChoice | undefined,
  arms: readonly Pick<Stack, 'protocol'>[],
): Promise<(HostsByProtocol | undefined)[]> {
  if (!arms.some(({ protocol }) => isOverQuic(protocol))) return sites.map(() => undefined);
  const unknown = sites.find(({ manifest }) => manifest?.http3 === undefined)?.planned;
  if (choice === 'as-recorded' && unknown) {
    throw new UsageError(
      `--hosts as-recorded: it is not known which hosts of ${unknown.subject} speak HTTP/3. Record it again (npm run record -- ${shellWord(unknown.url)}), or use --hosts own.`,
    );
  }
  const chosen = choice ?? (unknown ? 'all' : 'as-recorded');
  if (chosen === 'all') return sites.map(() => undefined);
  const speaks = chosen === 'own' ? await ownHosts() : speaksAsRecorded;
  return sites.map((site) => hostsOfSite(site, speaks));
}

type UsesHttp3 = (host: string, site: SiteToLoad) => boolean;

function speaksAsRecorded(host: string, { manifest }: SiteToLoad): boolean {
  return speaksHttp3(manifest?.http3?.[host]);
}

/** Hosts with the page's registrable domain (Public Suffix List), and its host. */
async function ownHosts(): Promise<UsesHttp3> {
  const { getDomain } = await import('tldts');
  const domainOf = (name: string) => getDomain(name, { allowPrivateDomains: true });
  return (host, { planned: { url } }) => {
    const [own, page] = [new URL(`https://${host}`).hostname, new URL(url).hostname];
    return own === page || (domainOf(own) !== null && domainOf(own) === domainOf(page));
  };
}

function hostsOfSite(site: SiteToLoad, usesHttp3: UsesHttp3): HostsByProtocol | undefined {
  const { subject, url } = site.planned;
  const { h3 = [], h2 = [] } = Object.groupBy(site.hosts, (host) =>
    usesHttp3(host, site) ? 'h3' : 'h2',
  );
  const { host } = new URL(url);
  if (!h3.includes(host)) {
    const reason = site.manifest?.http3?.[host]?.refusal ?? 'it did not announce HTTP/3';
    throw new UsageError(
      `${subject}: the page's own host ${host} did not speak HTTP/3 at the recording (${reason}), so no load of it could be over HTTP/3. --hosts own loads the page's own hosts over HTTP/3 nevertheless.`,
    );
  }
  return h2.length === 0 ? undefined : { h3, h2 };
}

/** Why arms cannot load hosts by different protocols, as a clause; null: they can, or no hosts differ. */
export function problemOfHosts(
  plan: Pick<PlanRecord, 'subjects' | 'arms' | 'analysis'>,
): string | null {
  const differing = plan.subjects.find(({ hostsByProtocol }) => hostsByProtocol);
  if (!differing) return null;
  const which = `hosts of ${differing.subject} use HTTP/2 in all arms (${hostNames(differing.hostsByProtocol?.h2 ?? [])})`;
  const both = plan.arms.find(({ protocol }) => offersBoth(protocol));
  if (both) {
    return `${which}, and in ${both.arm} the browser chooses the protocol of each host. Use --hosts all, or stacks of one protocol`;
  }
  const alone = plan.arms.find((arm) => isOverQuic(arm.protocol) && http2ArmOf(arm, plan) === null);
  if (!alone) return null;
  return `${which}, and ${alone.arm} is not compared with an arm over HTTP/2, whose server it needs for them. Add one to --stacks or choose it with --baseline, or use --hosts all`;
}
