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

/** Hosts and pages that are there already, over the machine's own network: nothing is made or started, and nothing of the path is measured. */
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
    const { timeoutS } = record;
    const visit = await visitFirst(subject, { machine, timeoutS, signal: stop.now });
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
        "not read: hosts are asked over the machine's own network",
        new Date().toISOString(),
      ),
    calibrate: async () => ({ udpRttMs: null, late: null }),
    async pause({ subject, arm }) {
      const visit = visits.get(subject);
      const stack = plan.stacks.find((each) => each.stack === arm);
      // Who is not asked needs no rest.
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

/** Why a page is not asked for by a version of HTTP, as its first visit showed; null: it is, which may fail. */
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
      message: `Not loaded: ${host} made no connection by HTTP/3 when it was asked for one before the first load: ${reason}.`,
    };
  }
  if (protocol === 'h2' && version === 'http/1.1') {
    return {
      outcome: 'unsupported',
      code: 'no-h2',
      message: `Not loaded: ${host} does not speak HTTP/2: a browser that offers it got the page by HTTP/1.1.`,
    };
  }
  return null;
}

/** What the next load would meet as well, by any version of HTTP. */
const PERMANENT_ERROR = /net::ERR_(NAME_NOT_RESOLVED|CERT_)/;

/** Keeps loads from one host apart: `rest` is called when the load before, whatever it was of, has just ended. */
export function createPauses(pauseMs: number, nowMs: () => number = () => performance.now()) {
  const endedMs = new Map<string, number>();
  let last: string[] = [];
  return {
    /** @throws the reason of the signal, for which nobody waits: the load is not to be begun */
    async rest(hosts: readonly string[], signal: AbortSignal): Promise<void> {
      for (const host of last) endedMs.set(host, nowMs());
      last = [...hosts];
      const latestMs = Math.max(...hosts.map((host) => endedMs.get(host) ?? -Infinity));
      const leftMs = latestMs + pauseMs - nowMs();
      if (leftMs > 0) await sleep(leftMs, null, { signal }).catch(() => {});
      signal.throwIfAborted();
    },
    /** Another host that the load asks which has its turn, as a redirect led there. */
    ledTo(host: string): void {
      last.push(host);
    },
  };
}
