import { speaksHttp3 } from '../../cache/http3.ts';
import { documentChainOf } from '../../cache/resource-answers.ts';
import { firstNames } from '../../ground/first-names.ts';
import {
  type HostChoice,
  type HostsByProtocol,
  http2ArmOf,
} from '../../ground/records/hosts-by-protocol.ts';
import { isOverQuic, offersBoth } from '../../ground/records/protocol.ts';
import type { PlanRecord, RunRecord } from '../../ground/records/run.ts';
import type { Stack } from '../../ground/stack.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { sentences } from '../../kit/text/sentences.ts';
import type { SiteToLoad } from '../subjects.ts';
import { recordCommand } from './device.ts';

/**
 * Chooses the hosts of each site that use HTTP/3 in arms over QUIC.
 * @param choice absent: as recorded where that is known, otherwise all
 * @throws UsageError for as-recorded where that is not known, or when the page itself would not use HTTP/3
 */
export async function withHosts(
  sites: readonly SiteToLoad[],
  choice: HostChoice | undefined,
  arms: readonly Pick<Stack, 'protocol'>[],
): Promise<readonly SiteToLoad[]> {
  if (choice === 'all' || !arms.some(({ protocol }) => isOverQuic(protocol))) return sites;
  const speaks = choice === 'own' ? await ownHosts() : speaksAsRecorded;
  return sites.map((site) => {
    const { planned, manifest } = site;
    if (choice !== 'own' && manifest?.http3 === undefined) {
      if (choice === undefined) return site;
      throw new UsageError(
        `--hosts as-recorded: it is not known which hosts of ${planned.subject} speak HTTP/3. Record it again (${recordCommand(planned, manifest?.device)}), or use --hosts own.`,
      );
    }
    return { ...site, planned: { ...planned, hostsByProtocol: hostsOfSite(site, speaks) } };
  });
}

type UsesHttp3 = (host: string, site: SiteToLoad) => boolean;

function speaksAsRecorded(host: string, { manifest }: SiteToLoad): boolean {
  return speaksHttp3(manifest?.http3?.[host]);
}

/** Hosts of a page's document and of redirects to it, that of the document last. */
function documentHosts({ manifest, planned }: SiteToLoad): string[] {
  const chain = manifest ? documentChainOf(manifest) : [];
  return (chain.length > 0 ? chain : [planned]).map(({ url }) => new URL(url).host);
}

/** Hosts with a registrable domain of the page (Public Suffix List), and its own. */
async function ownHosts(): Promise<UsesHttp3> {
  const { getDomain } = await import('tldts');
  const domainOf = (name: string) => getDomain(name, { allowPrivateDomains: true });
  return (host, site) =>
    documentHosts(site).some((page) => {
      const [own, other] = [host, page].map((each) => new URL(`https://${each}`).hostname);
      const domain = domainOf(own ?? '');
      return own === other || (domain !== null && domain === domainOf(other ?? ''));
    });
}

function hostsOfSite(site: SiteToLoad, usesHttp3: UsesHttp3): HostsByProtocol {
  const { subject } = site.planned;
  const { h3 = [], h2 = [] } = Object.groupBy(site.hosts, (host) =>
    usesHttp3(host, site) ? 'h3' : 'h2',
  );
  const host = documentHosts(site).at(-1) ?? '';
  if (!h3.includes(host)) {
    const reason = site.manifest?.http3?.[host]?.refusal ?? 'it did not announce HTTP/3';
    throw new UsageError(
      `${subject}: the page's own host ${host} did not speak HTTP/3 at the recording (${reason}), so no load of it could be over HTTP/3. --hosts own loads the page's own hosts over HTTP/3 nevertheless.`,
    );
  }
  return { h3, h2 };
}

/** Why arms cannot load hosts by different protocols, as a clause; null: they can, or no hosts differ. */
export function problemOfHosts(
  plan: Pick<PlanRecord, 'subjects' | 'arms' | 'analysis'>,
): string | null {
  const differing = plan.subjects.find(({ hostsByProtocol }) => hostsByProtocol?.h2.length);
  if (!differing) return null;
  const which = `hosts of ${differing.subject} use HTTP/2 in all arms (${firstNames(differing.hostsByProtocol?.h2 ?? [])})`;
  const both = plan.arms.find(({ protocol }) => offersBoth(protocol));
  if (both) {
    return `${which}, and in ${both.arm} the browser chooses the protocol of each host. Use --hosts all, or stacks of one protocol`;
  }
  const alone = plan.arms.find((arm) => isOverQuic(arm.protocol) && http2ArmOf(arm, plan) === null);
  if (!alone) return null;
  return `${which}, and ${alone.arm} is not compared with an arm over HTTP/2, whose server it needs for them. Add one to --stacks or choose it with --baseline, or use --hosts all`;
}

/** Recorded and imported pages that used HTTP/3 for all hosts because it is not known which of these speak it, as a sentence. */
export function hostCautions({
  subjects,
  arms,
  choices: { hosts },
}: Pick<RunRecord, 'subjects' | 'arms' | 'choices'>): string[] {
  if (hosts !== undefined || !arms.some(({ protocol }) => isOverQuic(protocol))) return [];
  const unknown = subjects.filter(
    ({ kind, hostsByProtocol }) => (kind === 'recorded' || kind === 'imported') && !hostsByProtocol,
  );
  if (unknown.length === 0) return [];
  return [
    `It is not known which hosts of ${firstNames(unknown.map(({ subject }) => subject))} speak HTTP/3, so all of them use it. Record these pages again (npm run record), or use --hosts own.`,
  ];
}

/** What a run leaves open about the hosts that use HTTP/3, as clauses. */
export function unmeasuredHosts({
  subjects,
  choices,
}: Pick<RunRecord, 'subjects' | 'choices'>): string[] {
  const all = subjects.filter(({ hostsByProtocol }) => !hostsByProtocol);
  const split = subjects.flatMap(({ hostsByProtocol: hosts }) => (hosts?.h2.length ? hosts : []));
  const of =
    all.length === subjects.length ? 'the page' : firstNames(all.map((each) => each.subject));
  const without =
    choices.hosts === 'own' ? 'of other domains' : 'that did not speak it when recorded';
  const used = firstNames([...new Set(split.flatMap(({ h3 }) => h3))]);
  return sentences(
    all.length > 0 && `which hosts of ${of} have HTTP/3 (here all)`,
    split.length > 0 && `HTTP/3 on hosts ${without} (here it is used by ${used})`,
  );
}
