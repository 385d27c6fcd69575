import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../../../ground/system/child-process.ts';
import { withTemporaryFolder } from '../../../ground/system/temporary-folder.ts';
import { mean } from '../../../statistics/mean.ts';
import { median } from '../../../statistics/median.ts';
import { quantile } from '../../../statistics/quantile.ts';
import { addressOfHost, CLIENT_ADDRESS, PATH_DEVICE } from '../../addresses.ts';
import { NOTHING_ADDED, type SeededCondition } from '../../conditions.ts';
import type { Path } from '../../path.ts';
import { MeasuringPrograms } from './programs.ts';

const SERVER = addressOfHost(0);
const ROUNDS = 3;
const PROBES_PER_ROUND = 100;
const PROBE_INTERVAL_MS = 10;
const TRANSFER_S = 2;
/** IP and UDP headers, and the Ethernet header that a path counts. */
const UDP_OVERHEAD_BYTES = 42;
const UDP_PAYLOAD_BYTES = 1400;

/** Packets per second; the last rates exceed what a machine can carry. */
const FLOODS_PER_S = [25, 50, 75, 100, 125, 150, 200, 250, 300].map(
  (thousands) => thousands * 1000,
);

const UNCHANGED: SeededCondition = { ...NOTHING_ADDED, seed: 1 };

/** Statistics of measured minus set round-trip times, in ms: each the median of several rounds. */
export interface RttError {
  rttMs: number;
  meanMs: number;
  medianMs: number;
  p99Ms: number;
  lostProbes: number;
}

export interface Throughput {
  kind: 'TCP' | 'UDP';
  rateMbps: number | null;
  mbps: number;
  /** Processor time of the user-space link, in percent of one processor; null: netem, in the kernel. */
  processorPercent: number | null;
}

export interface PacketRate {
  packetsPerS: number;
  mbps: number;
  processorPercent: number | null;
}

/** Loss found at a setting of 1 %. */
export interface Loss {
  sent: number;
  lost: number;
}

export class PathFigures {
  readonly #path: Path;
  readonly #programs: MeasuringPrograms;

  constructor(made: Path, python: string) {
    this.#path = made;
    this.#programs = new MeasuringPrograms(made.agent, python);
  }

  async rttError(rttMs: number): Promise<RttError> {
    await this.#path.apply({ ...UNCHANGED, rttMs });
    return this.#programs.withServer('server', ['echo', SERVER], async ({ port }) => {
      const rounds: number[][] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const probes = [SERVER, port, PROBES_PER_ROUND, PROBE_INTERVAL_MS];
        const { rttsMs } = await this.#programs.run<{ rttsMs: (number | null)[] }>(
          'client',
          'probe',
          ...probes,
        );
        rounds.push(rttsMs.filter((rtt) => rtt !== null).map((rtt) => rtt - rttMs));
      }
      // NaN if a round had no answer.
      const overRounds = (figure: (errorsMs: readonly number[]) => number | null): number =>
        median(rounds.map((errorsMs) => figure(errorsMs) ?? Number.NaN)) ?? Number.NaN;
      return {
        rttMs,
        meanMs: overRounds(mean),
        medianMs: overRounds(median),
        p99Ms: overRounds((errorsMs) => quantile(errorsMs, 0.99)),
        lostProbes: ROUNDS * PROBES_PER_ROUND - rounds.flat().length,
      };
    });
  }

  /** Rate at which TCP sends towards the client, as in page loads. */
  async tcpThroughput(rateMbps: number | null): Promise<Throughput> {
    await this.#path.apply({ ...UNCHANGED, downKbps: kbps(rateMbps) });
    return this.#programs.withServer('client', ['take', CLIENT_ADDRESS], async (taker) => {
      await this.#programs.run('server', 'give', CLIENT_ADDRESS, taker.port, TRANSFER_S);
      const { bytes, seconds } = await taker.next<{ bytes: number; seconds: number }>();
      return this.#throughput('TCP', rateMbps, bytes, seconds);
    });
  }

  /** Rate at which UDP arrives at the client, sent at 1.5 times `rateMbps`; null: at 1 Gbit/s. */
  async udpThroughput(rateMbps: number | null): Promise<Throughput> {
    await this.#path.apply({ ...UNCHANGED, downKbps: kbps(rateMbps) });
    const sentMbps = rateMbps === null ? 1000 : rateMbps * 1.5;
    const packetBits = (UDP_PAYLOAD_BYTES + UDP_OVERHEAD_BYTES) * 8;
    const count = Math.round((sentMbps * 1e6 * TRANSFER_S) / packetBits);
    const { packets, bytes, seconds } = await this.#burst(
      count,
      UDP_PAYLOAD_BYTES,
      sentMbps * 1000,
    );
    return this.#throughput('UDP', rateMbps, bytes + UDP_OVERHEAD_BYTES * packets, seconds);
  }

  /**
   * Highest tried rate towards the client, in packets per second of QUIC's size, at which the path loses no packet.
   * null: packets were lost at every rate.
   */
  async mostCarried(): Promise<PacketRate | null> {
    let most: PacketRate | null = null;
    for (const packetsPerS of FLOODS_PER_S) {
      const carried = await this.carried(packetsPerS);
      if (carried === null) break;
      most = carried;
    }
    return most;
  }

  /** Carries this many QUIC-sized packets per second towards the client, delayed by 15 ms; null: some were lost. */
  async carried(packetsPerS: number): Promise<PacketRate | null> {
    await this.#path.apply({ ...UNCHANGED, rttMs: 30 });
    return this.#programs.withServer('client', ['hole', CLIENT_ADDRESS], async ({ port }) => {
      const { sent, seconds } = await this.#programs.run<{ sent: number; seconds: number }>(
        ...(['server', 'flood', CLIENT_ADDRESS, port, TRANSFER_S, packetsPerS] as const),
      );
      await sleep(300);
      const { toClient, linkCpuMs } = await this.#path.count();
      if (toClient.packets < sent) return null;
      return {
        packetsPerS: sent / seconds,
        mbps: (toClient.bytes * 8) / seconds / 1e6,
        processorPercent: linkCpuMs === null ? null : linkCpuMs / 10 / seconds,
      };
    });
  }

  async loss(): Promise<Loss> {
    const sent = 20_000;
    await this.#path.apply({ ...UNCHANGED, lossPercent: 1 });
    const { packets } = await this.#burst(sent, 200, 20_000);
    return { sent, lost: sent - packets };
  }

  /** Sends UDP packets at a rate towards the client, and counts those that arrive. */
  #burst(count: number, payloadBytes: number, sentKbps: number): Promise<BurstResult> {
    return this.#programs.withServer('client', ['sink', CLIENT_ADDRESS], async (sink, endSink) => {
      const to = [CLIENT_ADDRESS, sink.port, count, payloadBytes, sentKbps];
      await this.#programs.run('server', 'burst', ...to);
      // Lets packets in flight arrive.
      await sleep(300);
      endSink();
      return sink.next<BurstResult>();
    });
  }

  async #throughput(
    kind: Throughput['kind'],
    rateMbps: number | null,
    bytes: number,
    seconds: number,
  ): Promise<Throughput> {
    const { backend, agent } = this.#path;
    const processorPercent =
      backend === 'userspace' ? (await agent.countLink()).processorMs / 10 / seconds : null;
    return { kind, rateMbps, mbps: (bytes * 8) / seconds / 1e6, processorPercent };
  }

  /** Packets dropped by the devices of both ends; anything but 0 is a fault. */
  async droppedByDevices(): Promise<number> {
    let dropped = 0;
    for (const end of ['client', 'server'] as const) {
      const command = ['ip', '-s', '-json', 'link', 'show', PATH_DEVICE];
      const [{ stats64 }] = JSON.parse(await this.#path.agent.run(end, command));
      dropped += stats64.tx.dropped + stats64.rx.dropped;
    }
    return dropped;
  }

  /** Has Chromium load a page of many images over the path repeatedly while `use` runs. */
  async whileChromiumWorks<T>(chromium: string, use: () => Promise<T>): Promise<T> {
    return withTemporaryFolder('profile', (profile) =>
      this.#programs.withServer('server', ['pages', SERVER], async ({ port }) => {
        const [program, ...prefix] = this.#path.agent.enter('client') as [string, ...string[]];
        const browser = startChild(program, [
          ...prefix,
          chromium,
          '--headless',
          `--user-data-dir=${profile}`,
          ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
          '--disable-background-networking',
          '--disable-component-update',
          '--no-first-run',
          '--remote-debugging-port=0',
          `http://${SERVER}:${port}/`,
        ]);
        browser.process.stdout?.resume();
        browser.process.stderr?.resume();
        try {
          // Starting takes more processor time than loading.
          await sleep(3000);
          const before = await this.#path.count();
          const result = await use();
          if (browser.end !== null) throw new Error(`Chromium ended (${browser.end}) meanwhile`);
          if (before.toClient.packets === 0) throw new Error('Chromium loaded nothing');
          return result;
        } finally {
          await browser.stop(2000);
        }
      }),
    );
  }
}

type BurstResult = Record<'packets' | 'bytes' | 'seconds', number>;

function kbps(rateMbps: number | null): number | null {
  return rateMbps === null ? null : rateMbps * 1000;
}
