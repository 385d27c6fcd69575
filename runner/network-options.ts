import { conditionName, NAMED_CONDITIONS } from '../network/conditions.ts';
import { longestPacketBytes } from '../network/path.ts';
import { framedBytes, queueBytes } from '../network/queue.ts';
import type { RunValues } from '../options/benchmark.ts';
import { OPTION_DEFAULTS } from '../options/defaults.ts';
import { didYouMean } from '../options/nearest-name.ts';
import { NUMBERED } from '../options/network.ts';
import { type AskedNetwork, limitKbps, PATH_DIRECTIONS } from '../records/network.ts';
import type { AskedTrace, Trace } from '../records/trace.ts';
import { UsageError } from '../system/errors.ts';

type Values = Pick<RunValues, (typeof NUMBERED)[number] | 'network' | 'mtu' | 'offloads'>;

/**
 * The conditions of --network as they are named, and those of --rtt with everything that goes with it.
 * @throws UsageError for unknown names, and for numbers that do not go together
 */
export function networksOf(values: Values): AskedNetwork[] {
  const networks = (values.network ?? []).map(namedNetwork);
  const numbered = NUMBERED.filter((name) => values[name] !== null);
  if (networks.length > 0 && numbered.length > 0 && values.rtt === null) {
    throw new UsageError(
      `--${numbered.join(', --')} and --network: named networks have all their numbers. Add --rtt for conditions of your own.`,
    );
  }
  if (networks.length === 0 || values.rtt !== null) networks.push(...numberedNetworks(values));
  return [...new Map(networks.map((network) => [network.name, network])).values()];
}

/** Whether nothing is said of the network. */
export function isUnsaid(values: Values): boolean {
  return values.network === null && NUMBERED.every((name) => values[name] === null);
}

function namedNetwork(name: string): AskedNetwork {
  const found = NAMED_CONDITIONS.find((condition) => condition.name === name);
  if (!found) {
    const names = NAMED_CONDITIONS.map((condition) => condition.name);
    throw new UsageError(
      `Unknown network ${name}.${didYouMean(name, names)} Networks: ${names.join(', ')}.`,
    );
  }
  const { source: _, ...condition } = found;
  return condition;
}

function numberedNetworks({ rtt, down, up, loss, jitter, ...values }: Values): AskedNetwork[] {
  const jitterMs = jitter ?? 0;
  return (rtt ?? OPTION_DEFAULTS.rttMs).flatMap((rttMs) => {
    if (jitterMs > rttMs / 2) {
      throw new UsageError(
        `--jitter ${jitterMs} with --rtt ${rttMs}: expected at most half of the round-trip time, which is the delay each way.`,
      );
    }
    const numbers = recordedLinks(values).flatMap((links) =>
      (loss ?? [0]).map((lossPercent) => ({
        rttMs,
        downKbps: down,
        upKbps: up,
        lossPercent,
        jitterMs,
        burstLoss: values['burst-loss'],
        ...links,
      })),
    );
    const queues = numbers.flatMap((each) =>
      (values['queue-bdp'] ?? [undefined]).map((queueBdp) => {
        const asked = { ...each, ...(queueBdp !== undefined && { queueBdp }) };
        assertHoldsPackets(asked, longestPacketBytes({ mtuBytes: values.mtu, ...values }));
        return asked;
      }),
    );
    return queues.flatMap((queue) =>
      whatHappens(values).map((happens) => {
        const asked = { ...queue, ...happens };
        return { name: conditionName(asked), ...asked };
      }),
    );
  });
}

/** Every combination of recorded links of both directions. */
function recordedLinks(
  values: Pick<Values, 'trace' | 'trace-up'>,
): Pick<AskedNetwork, 'trace' | 'traceUp'>[] {
  return (values.trace ?? [null]).flatMap((trace) =>
    (values['trace-up'] ?? [null]).map((traceUp) => ({
      ...(trace && { trace: askedTrace(trace) }),
      ...(traceUp && { traceUp: askedTrace(traceUp) }),
    })),
  );
}

/** What a condition says of it. */
function askedTrace({ bytes: _, ...asked }: Trace): AskedTrace {
  return asked;
}

/**
 * The recorded links of both directions, each once.
 * @throws UsageError for two of one name
 */
export function tracesOf(values: Pick<Values, 'trace' | 'trace-up'>): Trace[] {
  const byName = new Map<string, Trace>();
  for (const trace of [...(values.trace ?? []), ...(values['trace-up'] ?? [])]) {
    const other = byName.get(trace.name) ?? trace;
    if (other.sha256 !== trace.sha256) {
      throw new UsageError(
        `--trace and --trace-up: two different files are named ${trace.name}. A run keeps them by their names: rename one.`,
      );
    }
    byName.set(trace.name, trace);
  }
  return [...byName.values()];
}

/** Every combination of what becomes of UDP, of single packets, and of the path in mid-attempt. */
function whatHappens({
  udp: treatments,
  lose,
  event: events,
}: Pick<Values, 'udp' | 'lose' | 'event'>): Pick<AskedNetwork, 'udp' | 'lostPacket' | 'event'>[] {
  return (treatments ?? [null]).flatMap((udp) =>
    (lose ?? [null]).flatMap((lostPacket) =>
      (events ?? [null]).map((event) => ({
        ...(udp && { udp }),
        ...(lostPacket !== null && { lostPacket }),
        ...(event && { event }),
      })),
    ),
  );
}

/** @throws UsageError for a queue that is one of nothing, or has no room for two packets */
function assertHoldsPackets(asked: Omit<AskedNetwork, 'name'>, longestBytes: number): void {
  const { queueBdp, rttMs } = asked;
  if (queueBdp === undefined) return;
  const directions = PATH_DIRECTIONS.filter((direction) => limitKbps(asked, direction) !== null);
  if (directions.length === 0) {
    throw new UsageError(
      `--queue-bdp ${queueBdp}: without a rate nothing waits. Add --down KBIT, for example --down 10000, or --trace FILE.`,
    );
  }
  if (rttMs === 0) {
    throw new UsageError(
      `--queue-bdp ${queueBdp} with --rtt 0: the bandwidth-delay product of no delay is nothing. Give a delay, for example --rtt 30.`,
    );
  }
  const leastBytes = 2 * framedBytes(longestBytes);
  for (const direction of directions) {
    const bytes = queueBytes(asked, direction, longestBytes);
    if (bytes >= leastBytes) continue;
    throw new UsageError(
      `--queue-bdp ${queueBdp} with --rtt ${rttMs} and ${Math.round(limitKbps(asked, direction) ?? 0)} kbit/s ${direction === 'toClient' ? 'down' : 'up'}: a queue of ${bytes} bytes has no room for two packets (${leastBytes} bytes). Give a larger one, or a higher rate.`,
    );
  }
}
