import { type VisitKind, visitWithoutChoice } from '../../clients/visit-kind.ts';
import type { Factor } from '../../ground/experiment.ts';
import { medianReading, textReading } from '../../ground/records/load-readings.ts';
import { isLiveRun } from '../../ground/records/network.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { renameDetails } from '../../ground/records/older-format.ts';
import { offersBoth } from '../../ground/records/protocol.ts';
import type { PlannedSubject, RunChoices, RunRecord } from '../../ground/records/run.ts';
import type { StackReadings } from '../../ground/records/stack-readings.ts';
import { shellWord } from '../../ground/system/shell-word.ts';
import { sentences } from '../../kit/text/sentences.ts';
import type { Slice } from '../planning.ts';
import { exchangeComparer } from './compare-exchanges.ts';
import { type PageLoadDetails, pageLoadDetailsSchema } from './details.ts';
import { recordCommand } from './device.ts';
import { unannouncedCautions } from './held-back.ts';
import { hostCautions, unmeasuredHosts } from './hosts.ts';
import { liveCautions } from './live-pairs.ts';
import { PAGE_LOAD_METRICS } from './metrics.ts';
import { LIVE_PAGE_CHOICES, PAGE_OPTIONS } from './options.ts';
import { planning } from './planning.ts';
import { CPU, processorCautions } from './processor.ts';
import { unrecordedCautions } from './unrecorded.ts';

/** The browser's state of the site when the load begins. */
const visit = {
  cold: { text: 'first visit', phrase: null },
  repeat: { text: 'repeat visit with a filled cache', phrase: 'a repeat visit' },
  resumed: { text: 'empty cache, but sessions to resume', phrase: 'a resumed visit' },
  reload: { text: 'reload over connections that are open', phrase: 'a reload visit' },
  forced: { text: 'first visit with QUIC forced', phrase: 'a first visit with QUIC forced' },
  discovered: {
    text: 'empty cache, HTTP/3 known from an earlier load',
    phrase: 'a visit after HTTP/3 was discovered',
  },
  'https-record': {
    text: 'first visit with an HTTPS record',
    phrase: 'a first visit with an HTTPS record',
  },
  'h3-used': {
    text: 'empty cache, after HTTP/3 has worked',
    phrase: 'a visit after HTTP/3 had worked',
  },
  'h3-broken': {
    text: 'empty cache, the next but one visit after HTTP/3 has worked',
    phrase: 'the next but one visit after HTTP/3 had worked',
  },
} satisfies Factor;

export const pageLoad: Slice = {
  name: 'page-load',
  options: PAGE_OPTIONS,
  choices: LIVE_PAGE_CHOICES,
  planning,
  takesOwnServers: true,
  choosesVersion: true,
  command: {
    name: 'benchmark',
    summary:
      'loads cached sites in Chromium or Firefox from several server stacks and compares page load times',
    operands: [
      {
        name: 'URL',
        help: 'pages to record, unless the cache has them unchanged, and to measure from local servers; with --live: deployed pages to load',
        many: true,
      },
    ],
    examples: [
      ['', '4 sites, 3 stacks, with and without delay, until every question is decided'],
      ['--sites www.example.org --rtt 0,50,100', 'one site under three round-trip times'],
      [
        '--network dsl,lte,3g --budget 30m',
        'under named conditions, for at most about half an hour',
      ],
      ['--control', 'an A/A test: how often this machine finds differences that do not exist'],
      ['https://www.example.org', 'what visitors of this page see, over cable, LTE and DSL'],
      ['--live https://www.example.org', 'a deployed page over the network of this machine'],
      ['--resume results/latest', 'resumes an interrupted run'],
    ],
  },
  loadsPages: true,
  attempt: ['load', 'loads'],
  subject: ['page', 'pages'],
  site: ['site', 'sites'],
  client: 'chromium',
  clientNoun: 'browser',
  upgrade: (attempt) =>
    renameDetails(attempt, {
      backBy: 'returnProtocols',
      asked: 'requested',
      toldOfH3: 'advertisedH3',
    }),
  recordFile: 'page-loads.jsonl',
  details: pageLoadDetailsSchema,
  factors: { visit, cpu: CPU },
  valueFor: (value, protocol) =>
    offersBoth(protocol) ? value : visitWithoutChoice(value as VisitKind),
  metrics: PAGE_LOAD_METRICS,
  secondaryMetrics: ['firstContentfulPaintMs', 'largestContentfulPaintMs'],
  filmedMetrics: [{ name: 'speedIndexMs', label: 'Speed Index', unit: 'ms' }],
  notMeasured,
  metricOfEvents: 'completeMs',
  readings: readingsOfPageLoads,
  comparerOf: exchangeComparer,
  remedies: remediesOfPageLoads,
  cautions: (loads, run) => [
    ...liveCautions(loads, run),
    ...unrecordedCautions(loads, run),
    ...processorCautions(run),
    ...hostCautions(run),
    ...unannouncedCautions(loads, run),
  ],
  hasSections: true,
};

/** Visits in which the browser learns of HTTP/3. */
const DISCOVERING = ['discovered', 'https-record'];

/** What a run leaves open about turning HTTP/3 on, as clauses. */
export function notMeasured(
  run: Pick<RunRecord, 'factors' | 'networks' | 'subjects' | 'choices'>,
  { protocol }: Pick<RunRecord['arms'][number], 'protocol'>,
): string[] {
  const { factors, networks } = run;
  const discovers =
    offersBoth(protocol) && (factors.visit ?? []).some((each) => DISCOVERING.includes(each));
  const isLive = isLiveRun({ networks });
  return sentences(
    !discovers && 'how a browser discovers HTTP/3 (here it was forced)',
    'the load on your server',
    isLive && 'networks of visitors',
    networks.every(({ udp }) => udp === undefined) && 'networks that block UDP',
    !isLive && unmeasuredHosts(run),
  );
}

/** Readings of one stack from its page loads, for the comparison of stacks. */
export function readingsOfPageLoads(loads: readonly Observation[]): StackReadings {
  const traffic = loads.flatMap(
    ({ details }) => (details as PageLoadDetails | null)?.traffic ?? [],
  );
  const counts = (metric: string) => loads.flatMap(({ metrics }) => metrics[metric] ?? []);
  return {
    tlsVersion: textReading(traffic.map(({ tlsVersion }) => tlsVersion && tlsOf(tlsVersion))),
    cipher: textReading(traffic.map(({ cipher }) => cipher)),
    keyExchange: textReading(traffic.map(({ keyExchangeGroup }) => keyExchangeGroup)),
    connections: medianReading(counts('connections')),
    peakConcurrentRequests: medianReading(counts('peakConcurrentRequests')),
  };
}

/** Chromium reports QUIC, which contains TLS 1.3 (RFC 9001, section 4.2). */
function tlsOf(reported: string): string {
  return reported === 'QUIC' ? 'TLS 1.3' : reported;
}

type Site = Pick<PlannedSubject, 'subject' | 'url' | 'kind'>;

interface RemediedRun {
  subjects: readonly Site[];
  arms: readonly Pick<RunRecord['arms'][number], 'arm' | 'own'>[];
  choices: Pick<RunChoices, 'device'>;
}

/**
 * Remedies for sites whose completed loads from the user's servers, or from the rest, are invalid because of the same resource,
 * as sentences.
 */
export function remediesOfPageLoads(
  loads: readonly Observation[],
  { subjects, arms, choices }: RemediedRun,
): string[] {
  const owned = new Set(arms.flatMap(({ arm, own }) => (own ? [arm] : [])));
  // Failed and skipped loads say nothing about the page.
  const ended = loads.filter(({ outcome }) => outcome === 'ok' || outcome === 'invalid');
  return subjects.flatMap((site) => {
    const ofSite = ended.filter(({ subject }) => subject === site.subject);
    return [true, false].flatMap((isOwn) => {
      const of = ofSite.filter(({ arm }) => owned.has(arm) === isOwn);
      const [url, ...rest] = blamedByAll(of);
      if (url === undefined) return [];
      const codes = [...new Set(of.map(({ code }) => code))].join(', ');
      const names = [...new Set(of.map(({ arm }) => arm))].join(', ');
      const more = rest.length === 0 ? '' : ` and ${rest.length} more`;
      const remedy = isOwn
        ? `Have your server answer ${rest.length === 0 ? 'it' : 'them'} as recorded: \`npm run export -- ${shellWord(site.subject)} --to files\` writes the files.`
        : remedyOf(site, [url, ...rest], choices.device);
      return [
        `No load of ${site.subject}${isOwn ? ` from ${names}` : ''} is ok: all completed loads are invalid (${codes}) because of ${url}${more}. ${remedy}`,
      ];
    });
  });
}

/** The resources that make each of the loads invalid. */
function blamedByAll(loads: readonly Observation[]): string[] {
  const blamed = loads.map(({ details }) => (details as PageLoadDetails | null)?.blamed ?? []);
  const [first = [], ...rest] = blamed;
  return first.filter((url) => rest.every((urls) => urls.includes(url)));
}

function remedyOf(site: Site, blamed: readonly string[], device: RunChoices['device']): string {
  const { subject, kind } = site;
  if (kind !== 'imported' && kind !== 'recorded') {
    return `\`npm run sites -- verify ${shellWord(subject)}\` reports whether its files are damaged. \`npm run setup\` makes the project's own sites again; import a site of yours again.`;
  }
  // An import replaces only an imported site.
  const name = kind === 'imported' ? ` --name ${shellWord(subject)}` : '';
  return `Record the page anew: \`${recordCommand(site, device)}\`. Or make the site without ${blamed.length === 1 ? 'this resource' : 'these resources'}: \`npm run export -- ${shellWord(subject)} --to har\`, then \`npm run import -- ${shellWord(`exports/${subject}.har`)}${name} --without ${shellWord(blamed.join(','))}\`.`;
}
