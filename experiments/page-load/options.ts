import { VISIT_KINDS } from '../../clients/visit-kind.ts';
import { firstNames } from '../../ground/first-names.ts';
import { OPTION_DEFAULTS } from '../../ground/options/defaults.ts';
import { LIVE_OPTIONS } from '../../ground/options/live.ts';
import { ISOLATIONS, LOAD_OPTIONS } from '../../ground/options/loads.ts';
import { durationMs, FLAG, oneOf, severalOf, wholeNumber } from '../../ground/options/readers.ts';
import { type Line, optionGroup, ownChoiceLines, reportLine } from '../../ground/options/row.ts';
import { authoritiesFile } from '../../ground/options/trust.ts';
import { HTTP_VERSION_NAMES } from '../../ground/records/connection-transport.ts';
import { DESKTOP, deviceText } from '../../ground/records/device.ts';
import { HOST_CHOICES } from '../../ground/records/hosts-by-protocol.ts';
import { isLiveRun } from '../../ground/records/network.ts';
import { type OwnChoices, ownChoices } from '../../ground/records/own-choices.ts';
import { BOUNDS, within } from '../../ground/records/ranges.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import { CPU, slowdowns } from './processor.ts';

const livePagesSchema = s.object(
  {
    pauseMs: s.number(
      'Minimum time between two loads of one page, in ms.',
      within(BOUNDS.durationMs),
    ),
  },
  'Choices of pages of the live web; absent: pages of the cache.',
);

export const LIVE_PAGE_CHOICES: OwnChoices<typeof livePagesSchema> = {
  name: 'livePages',
  schema: livePagesSchema,
};

/** Choices for live pages; null: pages of the cache. */
export function livePagesOf(plan: Parameters<typeof ownChoices>[0]) {
  return ownChoices(plan, LIVE_PAGE_CHOICES);
}

function hostLines({
  choices: { hosts },
  subjects,
}: Pick<RunRecord, 'choices' | 'subjects'>): Line[] {
  const differing = subjects.flatMap(({ subject, hostsByProtocol }): Line[] =>
    hostsByProtocol
      ? [
          [`Hosts of ${subject} over HTTP/3`, firstNames(hostsByProtocol.h3)],
          [
            `Hosts of ${subject} over HTTP/2 in both arms`,
            firstNames(hostsByProtocol.h2) || 'none',
          ],
        ]
      : [],
  );
  if (differing.length === 0 && hosts === undefined) return [];
  return [['Hosts that use HTTP/3', hosts ?? 'as-recorded'], ...differing];
}

export const PAGE_OPTIONS = optionGroup(LOAD_OPTIONS.sites.group, 'plan', {
  visit: {
    argument: 'a,b',
    help: 'what the browser has from an earlier load. cold: nothing; repeat: cache, cookies and session tickets; resumed: session tickets only; reload: the page itself, loaded again (F5) over open connections. For stacks with both HTTP/2 and HTTP/3 (*-dual) also: forced: nothing, but QUIC is forced; discovered: Alt-Svc announcements of HTTP/3, and session tickets; https-record: nothing, but the DNS has an HTTPS record that names HTTP/3; h3-used: as discovered, after HTTP/3 has worked; h3-broken: as h3-used, after one more visit over the network of the load, where HTTP/3 fails if the network stops UDP',
    read: severalOf(...VISIT_KINDS),
    byDefault: ['cold'],
    lines: ({ factors: { visit } }) => (visit ? [['Visits', visit.join(', ')]] : []),
  },
  film: {
    argument: '[N]',
    help: `films N further loads of each stack under each condition (${OPTION_DEFAULTS.filmedLoads} without N) for a film strip and the Speed Index; they are not counted (default: 0)`,
    read: (option: string, given: string) =>
      given === '' ? OPTION_DEFAULTS.filmedLoads : wholeNumber(BOUNDS.filmedLoads)(option, given),
    conflicts: ['live'],
    lines: ({ choices: { filmedLoads } }) =>
      filmedLoads === undefined
        ? []
        : [['Filmed loads of each stack and condition, not counted', String(filmedLoads)]],
  },
  explain: {
    ...FLAG,
    help: `divides each gain into its parts: further arms in the same blocks change one thing each (handshake, windows, congestion control, pacing, order of responses). At most ${OPTION_DEFAULTS.budgetExplainedMs / 60_000} minutes for a page and a condition without --budget. Needs the user-space path`,
    conflicts: ['live'],
    lines: ({ analysis: { explanations } }) =>
      explanations ? [['Explained pairs', String(explanations.length)]] : [],
  },
  fresh: {
    ...FLAG,
    decides: 'invocation',
    help: 'records a page at a URL anew, even if its document is unchanged since its recording',
  },
  trust: {
    argument: 'FILE',
    decides: 'invocation',
    help: 'certificates of further authorities to trust when a page at a URL is recorded, PEM',
    read: authoritiesFile,
  },
  hosts: {
    argument: 'WHICH',
    help: 'hosts that use HTTP/3 in stacks over HTTP/3; the rest uses HTTP/2 in all stacks. as-recorded: those that announced and spoke it when `npm run record` recorded the page; own: those with the registrable domain of the page; all (default: as-recorded for sites that have been recorded so, otherwise all)',
    read: oneOf(...HOST_CHOICES),
    conflicts: ['live'],
    lines: hostLines,
  },
  'quic-version': {
    argument: 'N,N',
    help: 'versions of QUIC on the wire, 1 or 2 (RFC 9369), each with arms of its own: 1,2 adds NAME-v2 to each stack NAME over HTTP/3',
    read: severalOf('1', '2'),
    byDefault: ['1'],
    conflicts: ['live'],
    // The names of the arms contain it.
    lines: { by: 'stacks' },
  },
  cpu: {
    argument: 'N,N',
    help: `the work of pages takes this many times as long, 1 to ${BOUNDS.processorSlowdown[1]}; each number is a condition: 1,4. DevTools slows the main threads of pages, not Chromium's network process, which runs QUIC and TLS`,
    read: slowdowns,
    lines: ({ factors: { cpu } }) =>
      cpu ? [['Processor of pages', cpu.map((each) => CPU[each]?.text ?? each).join(', ')]] : [],
  },
  mobile: {
    ...FLAG,
    help: ({ phone }) =>
      `loads pages on a phone: ${phone}, touch, the user agent of a mobile browser (default: the device that recorded the sites)`,
    conflicts: ['desktop'],
    lines: reportLine('Device', ({ choices: { device = DESKTOP } }) => deviceText(device)),
  },
  desktop: {
    ...FLAG,
    help: ({ desktop }) =>
      `loads pages in a window of ${desktop} CSS pixels, also those that a phone recorded`,
    lines: { by: 'mobile' },
  },
  live: {
    ...LIVE_OPTIONS.live,
    group: LOAD_OPTIONS.sites.group,
    help: 'load pages at URLs over the network of this machine instead of cached sites from local servers',
    lines: (run) => (isLiveRun(run) ? [['Network', 'the machine’s own']] : []),
  },
  via: {
    argument: 'a,b',
    help: 'versions of HTTP to compare for live pages: h3 (QUIC is forced), h2, h1.1 (default: h3,h2)',
    read: severalOf(...HTTP_VERSION_NAMES),
    needs: 'live',
    // The names of the arms contain the version.
    lines: { by: 'stacks' },
  },
  pause: {
    argument: 'TIME',
    help: `minimum time between two loads from one host with --live: 2s, 1m (default ${OPTION_DEFAULTS.pauseMs / 1000}s)`,
    read: durationMs,
    needs: 'live',
    lines: ownChoiceLines(LIVE_PAGE_CHOICES, ({ pauseMs }) => [
      ['Isolation of loads', ISOLATIONS.process],
      ['Pause between two loads from one host', `${pauseMs / 1000} s at least`],
    ]),
  },
});
