import type { RunValues } from '../../ground/options/common.ts';
import { OPTION_DEFAULTS } from '../../ground/options/defaults.ts';
import { type LivePage, readPages } from '../../ground/options/pages.ts';
import type { HttpVersion } from '../../ground/records/connection-transport.ts';
import { isLiveRun } from '../../ground/records/network.ts';
import { offersBoth } from '../../ground/records/protocol.ts';
import type { Stack } from '../../ground/stack.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { urlOf } from '../../servers/own-stack.ts';
import { livePageArms } from '../arms.ts';
import type { Planning } from '../planning.ts';
import type { LiveSubject } from '../subjects.ts';
import { livePagesOf, type PAGE_OPTIONS } from './options.ts';

type PageValues = RunValues<typeof PAGE_OPTIONS>;

const LIVE_HTTP_VERSIONS: readonly HttpVersion[] = ['h3', 'h2'];

/** A page of the live web takes longer than one from here: this, in ms, and its pause; with the start of its browser. */
const LIVE_LOAD_MS = 5_000;

/** How long a load of a live page takes with all that is around it, in ms. */
function expectedLiveLoadMs(pauseMs: number): number {
  return pauseMs + LIVE_LOAD_MS;
}

/** A page that is there already, as a plan has it. */
function subjectOfPage({ name: subject, url }: LivePage): LiveSubject {
  return { subject, url, source: `loaded live from ${url}`, kind: 'live' };
}

/** @throws UsageError for a record of the DNS that cannot lead to a server */
function assertRecordLeads({ visit }: PageValues, arms: readonly Stack[]): void {
  const elsewhere = arms.find(
    (each) => offersBoth(each.protocol) && new URL(urlOf(each) ?? 'https://a').port !== '',
  );
  if (!elsewhere || !visit.includes('https-record')) return;
  throw new UsageError(
    `--stacks ${elsewhere.stack}=${urlOf(elsewhere)} and --visit https-record do not go together: an HTTPS record is asked for with the name, which stands for port 443, and this server has another. Have it listen at 443, or use --visit discovered.`,
  );
}

/** How runs of page loads are planned. */
export const planning: Planning = {
  choices: ({ live, pause }: PageValues) =>
    live ? { pauseMs: pause ?? OPTION_DEFAULTS.pauseMs } : null,
  // A page out there is as its server has it, and each load of it a first visit by a browser that was just started, which needs no warm-up.
  common: ({ live, 'warm-ups': warmUps }: PageValues) =>
    live ? { isolation: 'process', deterministicPages: 'none' } : { warmUps },
  live: {
    noun: 'pages',
    operands: 'https://www.example.org',
    otherwise: 'Sites of the cache are named by --sites',
    read: (operands) => readPages(operands).map(subjectOfPage),
    fromPlan({ subject, url }) {
      const [page] = readPages([url]);
      return page ? subjectOfPage({ ...page, name: subject }) : null;
    },
    arms: ({ via }: PageValues) => livePageArms(via ?? LIVE_HTTP_VERSIONS),
    pauseMs: (choices) => livePagesOf({ choices })?.pauseMs ?? 0,
    mostRepetitions: OPTION_DEFAULTS.mostRepetitionsLive,
  },
  assertCompatible: assertRecordLeads,
  expectedMs(choices) {
    const live = livePagesOf({ choices });
    return live && expectedLiveLoadMs(live.pauseMs);
  },
  problem(plan) {
    const isLive = isLiveRun(plan);
    return (livePagesOf(plan) !== null) === isLive
      ? null
      : `choices.livePages is ${isLive ? 'missing' : 'there'}, and the experiment is ${plan.experiment} over ${isLive ? 'the live web' : 'networks of the bench'}`;
  },
};
