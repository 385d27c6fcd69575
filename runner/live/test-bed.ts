import { setTimeout as sleep } from 'node:timers/promises';
import { experimentOf } from '../../experiments/index.ts';
import { isOverQuic } from '../../ground/records/protocol.ts';
import { quicHostOf } from '../../ground/records/quic-host.ts';
import type { PlannedSubject } from '../../ground/records/run.ts';
import { unknownEnds } from '../../ground/records/unknown-ends.ts';
import type { Stack } from '../../ground/stack.ts';
import { LIVE_PATH } from '../../network/live-path.ts';
import type { PreparedRun } from '../campaign/prepare.ts';
import type { Server } from '../servers.ts';
import type { Stop } from '../stop.ts';
import type { TestBed } from '../test-bed.ts';
import { type FirstVisit, visitFirst } from './first-visit.ts';
import { firstVisitSentences } from './sentences.ts';

/** Test bed of live hosts and pages, over the machine's own network: nothing is created or started, and the path is not measured. */
export function createLiveTestBed(
  { plan, machine, record }: Pick<PreparedRun, 'plan' | 'machine' | 'record'>,
  stop: Stop,
): TestBed {
  const { live } = experimentOf(record).planning ?? {};
  const pauseMs = live?.pauseMs?.(record.choices) ?? null;
  const visits = new Map<string, FirstVisit>();
  const pauses = createPauses(pauseMs ?? 0);
  const visitOf = async (subject: PlannedSubject, say: (sentence: string) => void) => {
    const known = visits.get(subject.subject);
    if (known) return known;
    await pauses.rest([quicHostOf(subject.url)], stop.soon);
    const {
      timeoutS,
      choices: { device },
    } = record;
    const visit = await visitFirst(subject, { machine, timeoutS, device, signal: stop.now });
    pauses.ledTo(quicHostOf(visit.url));
    visits.set(subject.subject, visit);
    for (const sentence of firstVisitSentences(subject, visit)) say(sentence);
    return visit;
  };
  const urls = new Map(plan.subjects.map(({ planned }) => [planned.subject, planned.url]));
  return {
    withPath: (_, use) => use(LIVE_PATH),
    readEnds: async () =>
      unknownEnds(
        "not read: hosts are reached over the machine's own network",
        new Date().toISOString(),
      ),
    calibrate: async () => ({ udpRttMs: null, late: null }),
    async pause({ subject, arm }) {
      const visit = visits.get(subject);
      const stack = plan.stacks.find((each) => each.stack === arm);
      // Skipped loads need no pause.
      if (!visit || !stack || reasonToSkip(stack, visit)) return;
      await pauses.rest([urls.get(subject) ?? '', visit.url].map(quicHostOf), stop.soon);
    },
    async withServers({ planned }, { stacks, warn = () => {} }, use) {
      const visit = pauseMs === null ? null : await visitOf(planned, warn);
      await use(
        stacks.map((stack) => serverOf(stack, visit)),
        new Map(),
      );
    },
  };
}

function serverOf(stack: Stack, visit: FirstVisit | null): Server {
  const skipResult = visit && reasonToSkip(stack, visit);
  return {
    stack,
    origins: {},
    details: {},
    pid: null,
    spkiPins: [],
    ...(visit && { live: { quicHosts: visit.quicHosts, withoutQuic: visit.withoutQuic } }),
    ...(skipResult && { skipResult }),
    follow: () => () => {},
    assertAlive: () => {},
  };
}

/** Why the first visit rules out loads of a page by an HTTP version; null: it does not, and a load may fail. */
export function reasonToSkip(
  { protocol }: Pick<Stack, 'protocol'>,
  { failure, url, version, withoutQuic }: FirstVisit,
): Server['skipResult'] | null {
  if (failure && PERMANENT_ERROR.test(failure.message)) {
    return {
      outcome: 'failed',
      code: failure.code,
      message: `Not loaded, as its first visit failed: ${failure.message}`,
    };
  }
  const host = quicHostOf(url);
  const reason = withoutQuic[host];
  if (isOverQuic(protocol) && reason !== undefined) {
    return {
      outcome: 'unsupported',
      code: 'no-h3',
      message: `Not loaded: ${host} made no connection over HTTP/3 before the first load: ${reason}.`,
    };
  }
  if (protocol === 'h2' && version === 'http/1.1') {
    return {
      outcome: 'unsupported',
      code: 'no-h2',
      message: `Not loaded: ${host} does not speak HTTP/2: a browser that offers it got the page over HTTP/1.1.`,
    };
  }
  return null;
}

/** Errors that the next load would also meet, by any version of HTTP. */
const PERMANENT_ERROR = /net::ERR_(NAME_NOT_RESOLVED|CERT_)/;

/** Keeps loads from one host apart: call `rest` right after the previous load, of any page, has ended. */
export function createPauses(pauseMs: number, nowMs: () => number = () => performance.now()) {
  const endedMs = new Map<string, number>();
  let last: string[] = [];
  return {
    /** @throws the signal's reason when aborted: the load must not begin */
    async rest(hosts: readonly string[], signal: AbortSignal): Promise<void> {
      for (const host of last) endedMs.set(host, nowMs());
      last = [...hosts];
      const latestMs = Math.max(...hosts.map((host) => endedMs.get(host) ?? -Infinity));
      const leftMs = latestMs + pauseMs - nowMs();
      if (leftMs > 0) await sleep(leftMs, null, { signal }).catch(() => {});
      signal.throwIfAborted();
    },
    /** Another host of the next load, to which a redirect led. */
    ledTo(host: string): void {
      last.push(host);
    },
  };
}
