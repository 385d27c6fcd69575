import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Server } from '../../../../runner/servers.ts';
import { bunH2 } from '../../../../servers/bun-h2/stack.ts';
import { lsquicH3 } from '../../../../servers/lsquic-h3/stack.ts';
import { theilSen } from '../../../../statistics/theil-sen.ts';
import { withPathBench } from '../../../../test/e2e/path-bench.ts';
import { withTemporaryFolder } from '../../../../test/temporary-folder.ts';
import { PLAYERS } from '../../players/index.ts';
import type { Player } from '../../players/player.ts';
import type { VideoDetails } from '../../records.ts';
import { smallVideo } from '../e2e/video-fixture.ts';
import { withoutSound, withVariant } from '../e2e/video-variant.ts';
import { type Watch, withVideo, withViewer } from '../e2e/watched-over-path.ts';

const STACKS = [lsquicH3, bunH2];
/** A session whose record has no problem. */
async function watchWell(watch: Watch, server: Server, session: Parameters<Watch>[1]) {
  const { outcome, message, metrics, details } = await watch(server, session);
  assert.equal(outcome, 'ok', `${session.player} from ${server.stack.stack}: ${message}`);
  assert.ok(details);
  return { metrics, details };
}

const RTTS_MS = [0, 100, 200];

/** Round trips until connected: TLS 1.3 in QUIC, and after TCP. */
const CONNECTION_ROUND_TRIPS: Readonly<Record<string, number>> = { h3: 1, h2: 2 };

/**
 * A busy machine only adds to a start-up: further rounds follow until the quickest of all are as
 * expected.
 */
const [LEAST_ROUNDS, MOST_ROUNDS] = [2, 6];

test('never stalls without a limit, and start-up grows with the delay by its round trips', (t) =>
  withTemporaryFolder(async (folder) =>
    withPathBench(
      await smallVideo(folder),
      (bench) =>
        withViewer(bench, { adapts: false, watchedMs: 3000 }, async (watch) => {
          for (const player of PLAYERS) {
            const growths = bench.servers.map((server) => new Growth(server, player));
            for (let round = 1; round <= MOST_ROUNDS; round += 1) {
              for (const rttMs of RTTS_MS)
                for (const growth of growths) await growth.add(watch, rttMs);
              if (round >= LEAST_ROUNDS && areRight(growths)) break;
            }
            for (const growth of growths) t.diagnostic(growth.text);
            assert.ok(areRight(growths), growths.map(({ text }) => text).join('; '));
          }
        }),
      { stacks: STACKS },
    ),
  ));

/** The quickest start-up over each delay. */
class Growth {
  readonly #server: Server;
  readonly #player: Player;
  readonly #quickestMs = new Map<number, number>();

  constructor(server: Server, player: Player) {
    this.#server = server;
    this.#player = player;
  }

  async add(watch: Watch, rttMs: number): Promise<void> {
    const session = { player: this.#player.name, network: { rttMs } };
    const { metrics } = await watchWell(watch, this.#server, session);
    assert.equal(metrics.stalls, 0, `${this.text}: stalls over ${rttMs} ms`);
    const startupMs = metrics.startupDelayMs ?? Number.NaN;
    this.#quickestMs.set(rttMs, Math.min(startupMs, this.#quickestMs.get(rttMs) ?? startupMs));
  }

  /** In round trips. */
  get slope(): number {
    return theilSen([...this.#quickestMs])?.slope ?? Number.NaN;
  }

  get expected(): number {
    const { protocol } = this.#server.stack;
    return (CONNECTION_ROUND_TRIPS[protocol] ?? Number.NaN) + this.#player.requestsInTurn;
  }

  get text(): string {
    const quickest = [...this.#quickestMs].map(([rttMs, ms]) => `${ms.toFixed(0)} ms (${rttMs})`);
    return `${this.#player.name} from ${this.#server.stack.stack}: ${this.slope.toFixed(2)} round trips of ${this.expected}, ${quickest.join(', ')}`;
  }
}

/**
 * For QUIC and TCP: each slope within 10 % of its round trips, and a difference of one, within 0.2.
 */
function areRight(growths: readonly Growth[]): boolean {
  const [quic, tcp] = growths as [Growth, Growth];
  return (
    growths.every(({ slope, expected }) => Math.abs(slope / expected - 1) <= 0.1) &&
    Math.abs(tcp.slope - quic.slope - 1) <= 0.2
  );
}

/** 80 % of the test pattern's lowest quality level. */
const SLOW_KBPS = 120;

test('has a playing share of goodput over bitrate over a link of 80 % of the lowest bitrate', (t) =>
  // With sound, picture or sound is ahead when the other runs out, by up to a segment, and by
  // varying amounts: several hundredths of these sessions.
  withVariant(withoutSound, (video) =>
    withVideo(STACKS, video, (bench) =>
      withViewer(bench, { adapts: false, watchedMs: 30_000 }, async (watch) => {
        for (const { name: player } of PLAYERS) {
          for (const server of bench.servers) {
            const session = { player, network: { rttMs: 30, downKbps: SLOW_KBPS } };
            const { metrics, details } = await watchWell(watch, server, session);
            const played = playedBetweenStalls(details);
            const expected = (metrics.downloadKbps ?? Number.NaN) / bitrateKbps(details);
            const found = `${player} from ${server.stack.stack}: ${played.toFixed(3)} of the time played, goodput over bitrate is ${expected.toFixed(3)}`;
            t.diagnostic(found);
            assert.ok(Math.abs(played - expected) <= 0.03, found);
          }
        }
      }),
    ),
  ));

/**
 * Share of playing time from the end of the first stall to that of the last one. When a stall ends,
 * only the awaited segment has arrived, so that the playback until the end of another stall equals
 * the arrivals. From the first frame to the end of watching there would be parts of segments more
 * or less.
 */
function playedBetweenStalls({ reports }: VideoDetails): number {
  const ofElement = reports.find(({ by }) => by === 'element')?.stalls ?? [];
  const stalls = ofElement.filter(({ ended }) => ended);
  assert.ok(stalls.length >= 6, `${stalls.length} stalls`);
  const [beganMs = 0, ...endsMs] = stalls.map(({ atMs, durationMs }) => atMs + durationMs);
  const stalledMs = stalls.slice(1).reduce((sum, { durationMs }) => sum + durationMs, 0);
  return 1 - stalledMs / ((endsMs.at(-1) ?? beganMs) - beganMs);
}

/** Bitrate of the arrived segments per second of the video, in kbit/s. */
function bitrateKbps({ requests }: VideoDetails): number {
  const whole = requests.filter(({ kind, endMs }) => kind === 'video' && endMs !== null);
  const bytes = whole.reduce((sum, each) => sum + each.bytes, 0);
  return (8 * bytes) / whole.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
}
