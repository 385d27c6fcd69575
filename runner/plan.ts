import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { listSites, siteFolder, videosFolder, whatIsVideo } from '../cache/catalogue.ts';
import { hostsOf, manifestFile, readManifest, type SiteManifest } from '../cache/manifest.ts';
import { nearlyEmpty } from '../cache/recorded-requests.ts';
import { type Host, hostOf, hostText, readHosts } from '../ground/options/hosts.ts';
import { didYouMean } from '../ground/options/nearest-name.ts';
import { type LivePage, readPages } from '../ground/options/pages.ts';
import { bytesOfSize } from '../experiments/transfer/options.ts';
import { TEST_PATTERN } from '../experiments/video/options.ts';
import type { FlowChoices } from '../experiments/share/records.ts';
import { isOfLiveWeb } from '../ground/records/network.ts';
import type { PlannedSubject, PlanRecord, Trial } from '../ground/records/run.ts';
import type { Stack } from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import { readPlainFileSync } from '../ground/system/plain-file.ts';
import { complain } from '../ground/system/printed.mjs';
import { shellWord } from '../ground/system/shell-word.ts';
import { stackOfArm } from '../experiments/arms.ts';
import { equalObjectsOf } from '../experiments/equal-objects.ts';
import type { Options } from './options.ts';
import { makeSchedule } from './schedule.ts';
import { assertRungs } from '../experiments/video/planning.ts';

/** A subject of the plan with what is needed to serve it. */
export interface SiteToLoad {
  planned: PlannedSubject;
  /** What is served; null: nothing, it is a host that is there already. */
  manifest: SiteManifest | null;
  folder: string;
  hosts: string[];
}

/** Everything that is decided before the first load; frozen. */
export interface Plan {
  subjects: readonly SiteToLoad[];
  stacks: readonly Stack[];
  trials: readonly Trial[];
}

/**
 * Resolves the options to a plan.
 * @param signal ends the making of what is to be served
 * @throws UsageError for a site that the cache does not have; DamagedSiteError for one that cannot be served.
 */
export async function makePlan(options: Options, signal?: AbortSignal): Promise<Plan> {
  assertKnown(options.sites.filter(isOfCache), new Set(listSites()));
  const subjects = await subjectsOf(options, signal);
  const { stacks } = options;
  const { flows, videos } = options.choices;
  if (videos) assertRungs(videos, subjects);
  const trials = makeSchedule({
    subjects: subjects.map(({ planned }) => planned.subject),
    arms: stacks.map(({ stack }) => stack),
    ...(flows && { armsOf: (subject: string) => armsOfMix(subject, flows, stacks) }),
    networks: options.networks,
    factors: options.factors,
    repetitions: options.repetitions,
    order: options.choices.order,
    ...(isOfLiveWeb(options) && { blocksPerRound: 1 }),
    // What goes on together, and for long, is warm after its first moments; nobody is asked for nothing out there.
    warmsUp: !isOfLiveWeb(options) && !options.experiment.together && options.choices.warmUps !== 0,
    seed: options.seed,
  });
  return Object.freeze({ subjects, stacks, trials: Object.freeze(trials) });
}

/** The arms that a mix has flows of, and their controls. */
function armsOfMix(subject: string, { mixes }: FlowChoices, stacks: readonly Stack[]): string[] {
  const own = mixes.find((mix) => mix.subject === subject)?.flows ?? [];
  const names = new Set(own.map(({ stack }) => stack));
  return stacks.flatMap(({ stack, controlOf }) => (names.has(controlOf ?? stack) ? [stack] : []));
}

async function subjectsOf(
  { hosts, pages, sizes, videos, sites, choices }: Options,
  signal?: AbortSignal,
): Promise<SiteToLoad[]> {
  if (hosts) return hosts.map((host) => subjectOfHost(host));
  if (pages) return pages.map((page) => subjectOfPage(page));
  if (choices.flows) return subjectsOfMixes(choices.flows);
  if (sizes) return subjectsOfSizes(sizes);
  if (videos) return subjectsOfVideos(videos, signal);
  return Promise.all(sites.map(siteNamed));
}

/** Whether the site with this name has to be in the cache; others are made of what their names say. */
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

/** What flows download again and again as long as they are let: so large that they seldom have to ask again. */
const FLOW_SIZE = '100MB';

/** The same site for every mix. */
async function subjectsOfMixes({ mixes }: FlowChoices): Promise<SiteToLoad[]> {
  const [site] = await subjectsOfSizes([FLOW_SIZE]);
  if (!site) throw new Error('no site to download from');
  return mixes.map(({ subject }) => ({ ...site, planned: { ...site.planned, subject } }));
}

/** A site for each size, made where it is missing: one after the other, because large ones are written to the disk. */
async function subjectsOfSizes(sizes: readonly string[]): Promise<SiteToLoad[]> {
  const { sizedSite } = await import('../cache/sized-site.ts');
  const subjects: SiteToLoad[] = [];
  for (const size of sizes) {
    const bytes = bytesOfSize(size);
    if (bytes === null) {
      throw new UsageError(`The plan has the size ${size}, expected sizes from 0B to 2GB.`);
    }
    const folder = await sizedSite(size, bytes);
    subjects.push(await siteToLoad(size, folder));
  }
  return subjects;
}

/**
 * Videos of the cache, with the test pattern, which is made where it is missing.
 * @throws UsageError for a name that none has
 */
async function subjectsOfVideos(
  names: readonly string[],
  signal?: AbortSignal,
): Promise<SiteToLoad[]> {
  const known = new Set([TEST_PATTERN, ...listSites(videosFolder)]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined && listSites().includes(unknown)) {
    throw new UsageError(
      `--videos ${unknown}: a page, not a video. npm run benchmark -- --sites ${shellWord(unknown)} loads it.`,
    );
  }
  if (unknown !== undefined) {
    throw new UsageError(
      `--videos ${unknown}: there is no such video.${didYouMean(unknown, [...known])} The cache has: ${[...known].join(', ')}. npm run import -- manifest.mpd brings another one here.`,
    );
  }
  const { testPattern } = await import('../cache/videos.ts');
  const subjects: SiteToLoad[] = [];
  for (const name of names) {
    const folder =
      name === TEST_PATTERN
        ? await testPattern(name, { say: complain, signal })
        : siteFolder(name, videosFolder);
    subjects.push(await siteToLoad(name, folder));
  }
  return subjects;
}

/**
 * What a frozen plan needs of this machine.
 * @throws UsageError when a site or stack is not there, or not as it was when the plan was frozen
 */
export async function resolvePlan(record: PlanRecord, signal?: AbortSignal): Promise<Plan> {
  const { subjects, arms, trials, choices } = record;
  const stacks = arms.map(stackOfArm);
  if (isOfLiveWeb(record)) {
    const isOfPages = choices.livePages !== undefined;
    for (const subject of subjects) assertLive(subject, isOfPages);
    return { subjects: subjects.map(thereAlready), stacks, trials };
  }
  const names = subjects.map(({ subject }) => subject);
  if (choices.transfers) {
    const found = await subjectsOfSizes(names);
    assertSameFacts(found, subjects);
    return { subjects: found, stacks, trials };
  }
  if (choices.flows) {
    const found = await subjectsOfMixes(choices.flows);
    assertSameFacts(found, subjects);
    return { subjects: found, stacks, trials };
  }
  const found = choices.videos ? await subjectsOfVideos(names, signal) : await sitesOfPlan(names);
  const changed = found.filter(
    ({ planned }, index) => planned.manifestSha256 !== subjects[index]?.manifestSha256,
  );
  if (changed.length > 0) {
    throw new UsageError(
      `Sites have changed since the plan was frozen: ${changed.map(({ planned }) => planned.subject).join(', ')}. Their loads would be of other pages. Restore them, or start a new run.`,
    );
  }
  assertSameFacts(found, subjects);
  return { subjects: found, stacks, trials };
}

/** @throws UsageError where a plan says something else of what is served than this machine finds */
function assertSameFacts(found: readonly SiteToLoad[], subjects: readonly PlannedSubject[]): void {
  for (const [index, planned] of subjects.entries()) {
    const own = found[index]?.planned;
    for (const fact of ['subject', 'url', 'kind', 'hosts', 'resources', 'wireBytes'] as const) {
      if (own?.[fact] === planned[fact]) continue;
      throw new UsageError(
        `The plan says ${fact} ${planned[fact]} of ${planned.subject}, and here it is ${own?.[fact]}. Use the plan as it was frozen, or start a new run.`,
      );
    }
  }
}

/** @throws UsageError for a host or a page that no operand could have named */
function assertLive(planned: PlannedSubject, isOfPages: boolean): void {
  const { subject, url } = planned;
  const isHttps = URL.parse(url)?.protocol === 'https:';
  const [page] = isHttps && isOfPages ? readPages([url]) : [];
  const [host] = isHttps && !isOfPages ? readHosts([url]) : [];
  const made = (page && subjectOfPage({ ...page, name: subject })) ?? (host && subjectOfHost(host));
  if (made?.planned.url !== url || made.planned.subject !== subject) {
    throw new UsageError(
      `The plan has the subject ${subject} at ${url}, expected the https:// address of ${isOfPages ? 'a page' : 'this host'}.`,
    );
  }
  assertSameFacts([made], [planned]);
}

/** @throws UsageError for those that the cache does not have */
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

/** A subject of which nothing is served. */
function thereAlready(planned: PlannedSubject): SiteToLoad {
  return { manifest: null, folder: '', hosts: [hostOf(planned.url).host], planned };
}

/** A host that is there already, as a plan has it. */
function subjectOfHost(host: Host): SiteToLoad {
  const subject = hostText(host);
  const { href: url } = new URL(`https://${isIPv6(subject) ? `[${subject}]` : subject}/`);
  return ofNetwork({ subject, url, source: 'a host of the network', kind: 'host' });
}

/** The same of a page. */
function subjectOfPage({ name: subject, url }: LivePage): SiteToLoad {
  return ofNetwork({ subject, url, source: `loaded live from ${url}`, kind: 'live' });
}

function ofNetwork(about: Pick<PlannedSubject, 'subject' | 'url' | 'source' | 'kind'>): SiteToLoad {
  return thereAlready({
    ...about,
    hosts: 1,
    resources: 0,
    wireBytes: 0,
    manifestSha256: createHash('sha256').update(about.url).digest('hex'),
  });
}

/**
 * A site of the cache as a plan has it.
 * @throws DamagedSiteError when it is missing or damaged
 */
export async function siteToLoad(site: string, folder = siteFolder(site)): Promise<SiteToLoad> {
  const manifest = await readManifest(folder);
  const hosts = hostsOf(manifest);
  const warning = nearlyEmpty(manifest);
  return {
    manifest,
    folder,
    hosts,
    planned: {
      subject: site,
      url: manifest.url,
      source: manifest.source,
      kind: manifest.kind,
      hosts: hosts.length,
      resources: manifest.resources.length,
      wireBytes: manifest.resources.reduce((sum, resource) => sum + resource.wireBytes, 0),
      manifestSha256: createHash('sha256')
        .update(readPlainFileSync(manifestFile(folder)))
        .digest('hex'),
      ...(warning === null ? {} : { warning }),
    },
  };
}

/** Sites are named by hosts, and may be asked for by URLs. */
function hostIn(text: string): string {
  return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).host : text;
}

/** @throws UsageError with the names that were probably meant, and where those are that the cache has */
export function assertKnown(sites: readonly string[], known: ReadonlySet<string>): void {
  const unknown = sites.filter((site) => !known.has(site));
  if (unknown.length === 0) return;
  const names = [...known, 'quick', 'published', 'all'];
  const sentences = unknown.map(
    (site) => whatIsVideo(site) ?? `Unknown site ${site}.${didYouMean(hostIn(site), names)}`,
  );
  throw new UsageError(
    `${sentences.join(' ')} \`npm run sites\` lists what the cache has; quick, published and all are sets of it. Pages of equal objects are made of their names, such as objects-100x10kB.`,
  );
}
