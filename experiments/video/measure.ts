import type { Presentation } from '../../cache/presentation.ts';
import { LIMITS } from '../../clients/browser-limits.ts';
import { buildHar } from '../../clients/chromium/har/build.ts';
import type { ContextPool, LoadContext } from '../../clients/chromium/load-context.ts';
import { startMachineWatch } from '../../ground/host/machine-watch.ts';
import type { Trial } from '../../ground/records/run.ts';
import { startStopwatch } from '../../ground/system/stopwatch.ts';
import { describeLoad, writeBrowserFiles } from '../browser-files.ts';
import { AttemptEnded, bindChecks, type Problem } from '../checks.ts';
import {
  awaitBrowser,
  type BrowserBench,
  benchContextPool,
  browserFailure,
  CONTEXT_LIMIT_MS,
  failureOf,
  releaseContext,
} from '../in-browser.ts';
import { linkSamples } from '../link.ts';
import { type Attempt, clientFrom, type Measurer, type Prepared, serverOf } from '../measuring.ts';
import { tcpInfoMs } from '../tcp-info.ts';
import { applyPath, countPath, makeAttempt, NOT_OBSERVED, PATH_NOT_COUNTED } from '../trial.ts';
import { CHECKS, segmentFailed } from './checks.ts';
import { detailsOf, metricsOf } from './details.ts';
import { video } from './experiment.ts';
import { sessionsOf } from './planning.ts';
import { type OpenedPlayer, openPlayer, play } from './players/session.ts';
import type { WatchedSession } from './players/watched-session.ts';
import { type ObservedSession, presentationOf } from './session.ts';

/** Plays each session in a new context of a browser that is kept for its server. */
export const measuring: Measurer = {
  open(bench) {
    const pool = benchContextPool(bench);
    return clientFrom({
      isWorn: () => pool.isWorn,
      prepare: (trial) =>
        awaitBrowser(openSession(trial, pool, bench), CONTEXT_LIMIT_MS, 'a player', bench),
      endedBy: (error) => browserFailure(error, bench),
      measure: (prepared) => measure(prepared, bench),
      leave: ({ context }) => releaseContext(context),
      close: () => pool.close(),
    });
  },
};

/** A player that has sent no request. */
interface Ready {
  context: LoadContext;
  player: OpenedPlayer;
}

async function openSession(
  { arm, factors }: Trial,
  pool: ContextPool,
  bench: BrowserBench,
): Promise<Ready> {
  const { url } = bench;
  const player = factors.player ?? '';
  const { representations } = presentationOf(bench);
  const context = await pool.open(arm);
  try {
    const options = { ...sessionsOf(bench), player, url, representations };
    return { context, player: await openPlayer(context, options) };
  } catch (error) {
    await releaseContext(context);
    throw error;
  }
}

/** Plays the video and returns the session's record; a failed session has what was observed. */
function measure(
  { trial: planned, ready, prepareMs, readyForNext }: Prepared<Ready>,
  bench: BrowserBench,
): Promise<Attempt> {
  const { path, signal } = bench;
  const { network } = planned;
  const server = serverOf(planned.arm, bench.servers);
  const context = ready instanceof AttemptEnded ? null : ready.context;
  const presentation = presentationOf(bench);
  const choices = sessionsOf(bench);
  return makeAttempt(planned, bench, {
    async begin() {
      if (ready instanceof AttemptEnded) throw ready;
      await applyPath(planned, bench, { tcpInfoMs: tcpInfoMs(bench.choices, server) });
      const step = startStopwatch();
      const { watchedMs } = choices;
      const limitMs = watchedMs + 2 * LIMITS.browserAnswerMs;
      return {
        watch: () =>
          startMachineWatch({ serverPid: server.pid, clientPid: ready.context.browserPid }),
        async act() {
          const playing = play(ready.player, { watchedMs, signal });
          return { watched: await awaitBrowser(playing, limitMs, 'a session', bench) };
        },
        async count({ watched }): Promise<
          Pick<ObservedSession, 'path' | 'link' | 'connections' | 'stepsMs'> & {
            failure: Problem | null;
          }
        > {
          const session = step();
          try {
            const onPath = await countPath(path, { samples: () => linkSamples(planned, bench) });
            return {
              ...onPath,
              stepsMs: { session, count: step() },
              failure: failureIn(watched, presentation),
            };
          } catch (error) {
            return {
              ...PATH_NOT_COUNTED,
              stepsMs: NO_STEPS,
              failure: failureOf(error as Error, bench),
            };
          }
        },
      };
    },
    endedBy: (error) => browserFailure(error, bench),
    onReadyForNext: readyForNext.resolve,
    emptyEvidence: EMPTY_SESSION,
    async write({ watched, link }: ObservedSession) {
      const makeHar = () => {
        if (ready instanceof AttemptEnded) throw ready;
        const events = watched?.events ?? ready.player.recorder.events;
        const source = bench.manifest?.source ?? '';
        return buildHar(events, describeLoad({ trial: planned, experiment: video, source }, bench));
      };
      const of = { trial: planned, server, context, experiment: video, link, makeHar };
      const written = await writeBrowserFiles(of, bench);
      return { ...written, details: watched && detailsOf(watched, presentation, bench.url) };
    },
    checks(seen, { har, details }) {
      const { watched, path: counts, connections } = seen;
      if (!har || !details || !counts || !connections) {
        throw new Error('a successful session without all observations');
      }
      return bindChecks(
        CHECKS,
        { ...seen, watched, details, har, path: counts, connections },
        {
          presentation,
          protocol: server.stack.protocol,
          choices,
          keyExchange: server.keyExchange ?? null,
          network,
          origins: server.origins,
        },
      );
    },
    result: ({ watched, stepsMs }: ObservedSession, { written: { details, step } }) => ({
      client: context?.about ?? null,
      metrics: watched && details ? metricsOf(watched, details) : {},
      details,
      stepsMs: { prepare: prepareMs, ...stepsMs, judge: step() },
    }),
  });
}

/** Names the failed segment as the cause where the player gave up because of it. */
function failureIn(watched: WatchedSession, presentation: Presentation): Problem | null {
  const { failure } = watched;
  const cause = failure?.code === 'player-failed' ? segmentFailed(watched, { presentation }) : null;
  if (!failure || !cause) return failure;
  return { code: cause.code, message: `${cause.message} ${failure.message}` };
}

const NO_STEPS = { session: 0, count: 0 };

const EMPTY_SESSION: ObservedSession = {
  ...NOT_OBSERVED,
  watched: null,
  failure: null,
  stepsMs: NO_STEPS,
};
