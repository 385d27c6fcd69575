import type { RunValues } from '../../ground/options/common.ts';
import { OPTION_DEFAULTS } from '../../ground/options/defaults.ts';
import { type LivePage, readPages } from '../../ground/options/pages.ts';
import type { HttpVersion } from '../../ground/records/connection-transport.ts';
import { deviceText } from '../../ground/records/device.ts';
import { hostSentences } from '../../ground/records/hosts-by-protocol.ts';
import { isLiveRun, type NetworkCondition } from '../../ground/records/network.ts';
import { offersBoth } from '../../ground/records/protocol.ts';
import { isOwnArm, type Stack } from '../../ground/stack.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { urlOf } from '../../servers/own-stack.ts';
import { armsByQuicVersion, livePageArms } from '../arms.ts';
import type { Planning } from '../planning.ts';
import type { LiveSubject, SiteToLoad } from '../subjects.ts';
import { deviceChoice, withDevice } from './device.ts';
import { explanationsOf } from './explain/arms.ts';
import { sharedHostsNotices } from './held-back.ts';
import { hostCautions, problemOfHosts, withHosts } from './hosts.ts';
import { livePagesOf, type PAGE_OPTIONS } from './options.ts';

type PageValues = RunValues<typeof PAGE_OPTIONS>;

const LIVE_HTTP_VERSIONS: readonly HttpVersion[] = ['h3', 'h2'];

/** Expected time in ms of a load of the live web with the start of its browser, without its pause. */
const LIVE_LOAD_MS = 5_000;

function subjectOfPage({ name: subject, url }: LivePage): LiveSubject {
  return { subject, url, source: `loaded live from ${url}`, kind: 'live' };
}

/** @throws UsageError for a server that no HTTPS record can name */
function assertRecordLeads({ visit }: PageValues, arms: readonly Stack[]): void {
  const elsewhere = arms.find(
    (each) => offersBoth(each.protocol) && new URL(urlOf(each) ?? 'https://a').port !== '',
  );
  if (!elsewhere || !visit.includes('https-record')) return;
  throw new UsageError(
    `--stacks ${elsewhere.stack}=${urlOf(elsewhere)} and --visit https-record do not go together: the browser queries HTTPS records for port 443, and this server has another port. Let it listen at 443, or use --visit discovered.`,
  );
}

/** @throws UsageError for a page of which both arms load some hosts by HTTP/2: changes of one arm would reach these, too */
function assertAllOverH3(subjects: readonly SiteToLoad[]): void {
  const mixed = subjects.find(({ planned }) => planned.hostsByProtocol?.h2.length);
  if (!mixed) return;
  throw new UsageError(
    `--explain: ${mixed.planned.subject} has hosts that all arms load by HTTP/2, where the further arms change more than the gain. Add --hosts all, or explain another page.`,
  );
}

/** @throws UsageError for conditions that set what explaining arms change */
function assertExplainable(values: PageValues, networks: readonly NetworkCondition[]): void {
  const option = (['cc', 'initcwnd', 'receive-buffer'] as const).find(
    (name) => (values[name]?.length ?? 0) > 1,
  );
  if (option !== undefined) {
    throw new UsageError(
      `--${option} with several values and --explain do not go together: the further arms of --explain change it. Give one value.`,
    );
  }
  const visit = values.visit.find((each) => each !== 'cold');
  if (visit !== undefined) {
    throw new UsageError(
      `--explain and --visit ${visit} do not go together: connections that resume a session, or are open, save other round trips. Use --visit cold.`,
    );
  }
  const network = networks.find(
    ({ congestionControl, initialWindow, receiveBuffer, event }) =>
      congestionControl ?? initialWindow ?? receiveBuffer ?? event,
  );
  if (!network) return;
  throw new UsageError(
    `--explain and the condition ${network.name} do not go together: the condition sets what the further arms change, or breaks their connections.`,
  );
}

export const planning: Planning = {
  choices: ({ live, pause }: PageValues) =>
    live ? { pauseMs: pause ?? OPTION_DEFAULTS.pauseMs } : null,
  // Each load of a live page is a first visit by a new browser, without warm-up.
  common: ({ live, film, 'warm-ups': warmUps, hosts, ...values }: PageValues) => ({
    ...(live
      ? { isolation: 'process' as const, deterministicPages: 'none' as const }
      : { warmUps, ...(film !== null && { filmedLoads: film }), ...(hosts && { hosts }) }),
    ...deviceChoice(values),
  }),
  async atSubjects(known, arms) {
    const { choices, subjects } = withDevice(known);
    const withTheirHosts = await withHosts(subjects, choices.hosts, arms);
    if (!arms.every(isOwnArm)) assertAllOverH3(withTheirHosts);
    return { choices, subjects: withTheirHosts };
  },
  live: {
    noun: 'pages',
    operands: 'https://www.example.org',
    otherwise: 'For sites of the cache use --sites',
    read: (operands) => readPages(operands).map(subjectOfPage),
    fromPlan({ subject, url }) {
      const [page] = readPages([url]);
      return page ? subjectOfPage({ ...page, name: subject }) : null;
    },
    arms: ({ via }: PageValues) => livePageArms(via ?? LIVE_HTTP_VERSIONS),
    pauseMs: (choices) => livePagesOf({ choices })?.pauseMs ?? 0,
    mostRepetitions: OPTION_DEFAULTS.mostRepetitionsLive,
  },
  explanations(values: PageValues, stacks, { networks, ...run }) {
    if (!values.explain) return null;
    assertExplainable(values, networks);
    const found = explanationsOf(stacks, run);
    if (found.explanations.length > 0) return found;
    throw new UsageError(
      '--explain: no stack is compared with another one. Name two, for example --stacks lsquic-h3,bun-h2.',
    );
  },
  armsAt: ({ hosts }, _, stacks) =>
    stacks.flatMap((each) =>
      !isOwnArm(each) && each.settings?.origins === 'shared' && hosts === 1 ? [] : each.stack,
    ),
  arms: (stacks, { 'quic-version': versions }: PageValues) => armsByQuicVersion(stacks, versions),
  assertCompatible(values: PageValues, arms, networks) {
    assertRecordLeads(values, arms);
    const ofRecording = (['fresh', 'trust'] as const).find((name) => values[name]);
    if (ofRecording !== undefined) {
      throw new UsageError(
        `--${ofRecording}: no page is recorded. Name the URL of one, without --live: npm run benchmark -- https://www.example.org`,
      );
    }
    if (values.film === null || networks.every(({ event }) => event === undefined)) return;
    throw new UsageError(
      '--film and --event do not go together: a film ends at the load event, and an event of the path may reload the page. Film in a run without --event.',
    );
  },
  expectedMs(choices) {
    const live = livePagesOf({ choices });
    return live && live.pauseMs + LIVE_LOAD_MS;
  },
  notices: (plan) => [
    ...hostSentences(plan),
    ...sharedHostsNotices(plan),
    ...hostCautions(plan),
    ...(plan.choices.device ? [`Pages are loaded on ${deviceText(plan.choices.device)}.`] : []),
  ],
  problem(plan) {
    const isLive = isLiveRun(plan);
    return (livePagesOf(plan) !== null) === isLive
      ? problemOfHosts(plan)
      : `choices.livePages is ${isLive ? 'missing' : 'there'}, and the experiment is ${plan.experiment} over ${isLive ? 'the live web' : 'networks of the bench'}`;
  },
};
