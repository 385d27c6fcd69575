import { listSites, whatIsVideo } from '../cache/catalogue.ts';
import { stackOfArm } from '../experiments/arms.ts';
import { equalObjectsOf } from '../experiments/equal-objects.ts';
import { experimentOf } from '../experiments/index.ts';
import type { LiveSubjects } from '../experiments/planning.ts';
import {
  liveSubjectToLoad,
  type SiteToLoad,
  siteToLoad,
  unservedSubject,
} from '../experiments/subjects.ts';
import { firstNames } from '../ground/first-names.ts';
import { didYouMean } from '../ground/options/nearest-name.ts';
import type { HostsByProtocol } from '../ground/records/hosts-by-protocol.ts';
import { isLiveRun } from '../ground/records/network.ts';
import type { PlannedSubject, PlanRecord, Trial, UnpinnedChoices } from '../ground/records/run.ts';
import type { Stack } from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import type { Options } from './options.ts';
import { blocksPerRoundOf, makeSchedule } from './schedule.ts';

/** All decisions before the first load. */
interface NewPlan extends Plan {
  choices: UnpinnedChoices;
}

/** A frozen plan: what is loaded, and in which order. */
export interface Plan {
  subjects: readonly SiteToLoad[];
  stacks: readonly Stack[];
  trials: readonly Trial[];
}

/**
 * Resolves the options to a plan.
 * @param signal stops generating sites
 * @throws UsageError for a site that the cache does not have; DamagedSiteError for one that cannot be served.
 */
export async function makePlan(options: Options, signal?: AbortSignal): Promise<NewPlan> {
  const { stacks, experiment, live } = options;
  const { planning = {} } = experiment;
  if (!live && !planning.find) {
    assertKnown(options.subjects.filter(isOfCache), new Set(listSites()));
  }
  const found = live
    ? live.map(liveSubjectToLoad)
    : await (planning.find?.(options.subjects, options.choices, signal) ??
        Promise.all(options.subjects.map(siteNamed)));
  const { armsAt, atSubjects = async (known) => known } = planning;
  const { choices, subjects } = await atSubjects(
    { choices: options.choices, subjects: found },
    stacks,
  );
  const trials = makeSchedule({
    subjects: subjects.map(({ planned }) => planned.subject),
    arms: stacks.map(({ stack }) => stack),
    ...(armsAt && {
      armsOf: (name: string) =>
        subjects.flatMap(({ planned }) =>
          planned.subject === name ? armsAt(planned, choices, stacks) : [],
        ),
    }),
    networks: options.networks,
    factors: options.factors,
    repetitions: options.repetitions,
    order: choices.order,
    blocksPerRound: live ? 1 : blocksPerRoundOf(stacks),
    // Parallel traffic warms up in its first moments; live hosts get no extra requests.
    warmsUp: !live && !experiment.together && choices.warmUps !== 0,
    filmedLoads: choices.filmedLoads ?? 0,
    seed: options.seed,
  });
  return Object.freeze({ subjects, stacks, choices, trials: Object.freeze(trials) });
}

/** Whether the site with this name is in the cache, rather than generated from its name. */
export function isOfCache(site: string): boolean {
  return equalObjectsOf(site) === null;
}

/** @throws DamagedSiteError when it is missing or damaged */
async function siteNamed(site: string): Promise<SiteToLoad> {
  const objects = equalObjectsOf(site);
  if (!objects) return siteToLoad(site);
  const { objectsSite } = await import('../cache/objects-site.ts');
  return siteToLoad(site, await objectsSite(site, objects));
}

/**
 * Resolves a frozen plan on this machine.
 * @throws UsageError when a site or stack is missing, or has changed since the plan was frozen
 */
export async function resolvePlan(record: PlanRecord, signal?: AbortSignal): Promise<Plan> {
  const { subjects, arms, trials, choices } = record;
  const { planning = {} } = experimentOf(record);
  const stacks = arms.map(stackOfArm);
  if (isLiveRun(record)) {
    for (const subject of subjects) assertLive(subject, planning.live);
    return { subjects: subjects.map(unservedSubject), stacks, trials };
  }
  const names = subjects.map(({ subject }) => subject);
  const found = await (planning.find?.(names, choices, signal) ?? sitesOfPlan(names));
  const changed = found.filter(
    ({ planned }, index) => planned.manifestSha256 !== subjects[index]?.manifestSha256,
  );
  if (changed.length > 0 && !planning.makesSubjects) {
    throw new UsageError(
      `Sites have changed since the plan was frozen: ${changed.map(({ planned }) => planned.subject).join(', ')}. Restore them, or start a new run.`,
    );
  }
  assertSameFacts(found, subjects);
  const planned = found.map((site, index) => {
    const hostsByProtocol = subjects[index]?.hostsByProtocol;
    if (!hostsByProtocol) return site;
    assertHosts(site, hostsByProtocol);
    return { ...site, planned: { ...site.planned, hostsByProtocol } };
  });
  return { subjects: planned, stacks, trials };
}

/** @throws UsageError when facts of the plan differ from those on this machine */
function assertSameFacts(found: readonly SiteToLoad[], subjects: readonly PlannedSubject[]): void {
  for (const [index, planned] of subjects.entries()) {
    const own = found[index]?.planned;
    for (const fact of ['subject', 'url', 'kind', 'hosts', 'resources', 'wireBytes'] as const) {
      if (own?.[fact] === planned[fact]) continue;
      throw new UsageError(
        `The plan has ${fact} ${planned[fact]} for ${planned.subject}, but here it is ${own?.[fact]}. Use the plan as it was frozen, or start a new run.`,
      );
    }
  }
}

/** @throws UsageError when the plan does not have each host of the site once */
function assertHosts({ planned, hosts }: SiteToLoad, { h3, h2 }: HostsByProtocol): void {
  const named = [...h3, ...h2];
  if (named.length === hosts.length && hosts.every((host) => named.includes(host))) return;
  throw new UsageError(
    `The plan has the hosts ${firstNames(named)} for ${planned.subject}, expected ${firstNames(hosts)}, each once. Use the plan as it was frozen, or start a new run.`,
  );
}

/** @throws UsageError for a host or a page that operands cannot name */
function assertLive(planned: PlannedSubject, live: LiveSubjects | undefined): void {
  const { subject, url } = planned;
  const again = URL.parse(url)?.protocol === 'https:' ? (live?.fromPlan(planned) ?? null) : null;
  if (again?.url !== url) {
    throw new UsageError(
      `The plan has the subject ${subject} at ${url}, expected the https:// address of one of its ${live?.noun ?? 'sites'}.`,
    );
  }
  assertSameFacts([liveSubjectToLoad(again)], [planned]);
}

/** @throws UsageError for sites that are not in the cache */
async function sitesOfPlan(names: readonly string[]): Promise<SiteToLoad[]> {
  const known = new Set(listSites());
  const missing = names.filter((site) => isOfCache(site) && !known.has(site));
  if (missing.length > 0) {
    throw new UsageError(
      `The plan has sites that the cache does not: ${missing.join(', ')}. Bring them here (npm run import), as they were when the plan was frozen.`,
    );
  }
  return Promise.all(names.map(siteNamed));
}

/** Sites are named by their hosts; the text may be a URL. */
function hostIn(text: string): string {
  return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).host : text;
}

/** @throws UsageError that suggests similar names */
export function assertKnown(sites: readonly string[], known: ReadonlySet<string>): void {
  const unknown = sites.filter((site) => !known.has(site));
  if (unknown.length === 0) return;
  const names = [...known, 'quick', 'published', 'all'];
  const sentences = unknown.map(
    (site) => whatIsVideo(site) ?? `Unknown site ${site}.${didYouMean(hostIn(site), names)}`,
  );
  throw new UsageError(
    `${sentences.join(' ')} \`npm run sites\` lists what the cache has; quick, published and all are sets of it. Pages of equal objects are generated from their names, such as objects-100x10kB.`,
  );
}
