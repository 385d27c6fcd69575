import type { RunValues } from '../ground/options/common.ts';
import { OPTION_DEFAULTS } from '../ground/options/defaults.ts';
import { didYouMean } from '../ground/options/nearest-name.ts';
import { CONDITION_FLAGS, isNetworkUnset } from '../ground/options/network.ts';
import {
  type AnyDimension,
  DIMENSION_ROWS,
  type DimensionReaders,
  type Dimensions,
  dimensionsOf,
} from '../ground/records/dimensions.ts';
import { limitKbps, type NetworkCondition, PATH_DIRECTIONS } from '../ground/records/network.ts';
import type { Trace, TraceReference } from '../ground/records/trace.ts';
import { UsageError } from '../ground/system/errors.ts';
import { conditionName, NAMED_CONDITIONS } from '../network/conditions.ts';
import { longestPacketBytes } from '../network/path.ts';
import { framedBytes, queueBytes } from '../network/queue.ts';
import { matchedReceiveBufferBytes } from '../network/receive-window.ts';

type Values = Pick<RunValues, keyof DimensionReaders | 'mix' | 'network' | 'offloads'>;

/**
 * The conditions of --network or --mix by name, or those of --rtt and the options that combine with it.
 * @throws UsageError for unknown names, and for numbers that exclude each other
 */
export function networksOf(values: Values): NetworkCondition[] {
  const ofMix = values.mix && isNetworkUnset(values) ? Object.keys(values.mix) : [];
  const networks = (values.network ?? ofMix).map(namedNetwork);
  const numbered = CONDITION_FLAGS.filter((name) => values[name] !== null);
  if (networks.length > 0 && numbered.length > 0 && values.rtt === null) {
    throw new UsageError(
      `--${numbered.join(', --')} and --network: named networks have all their numbers. Add --rtt for conditions of your own.`,
    );
  }
  const given = givenOf(values);
  if (networks.length === 0 || values.rtt !== null) networks.push(...numberedNetworks(given));
  const all = networks.flatMap((network) => withSeveral(network, given));
  for (const network of all) {
    assertJitterFits(network);
    const { mtuBytes = values.mtu[0] ?? OPTION_DEFAULTS.mtuBytes } = network;
    assertHoldsPackets(network, longestPacketBytes({ ...values, mtuBytes }));
  }
  return [...new Map(all.map((network) => [network.name, network])).values()];
}

function namedNetwork(name: string): NetworkCondition {
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

/** Conditions from single numbers. */
function numberedNetworks(given: DimensionValues): NetworkCondition[] {
  const rows = DIMENSION_ROWS.filter(({ ofRun }) => !ofRun);
  return combined(rows, { ...given, rtt: given.rtt ?? OPTION_DEFAULTS.rttMs }).map((dimensions) => {
    const numbers = dimensions as Omit<NetworkCondition, 'name'>;
    return { name: conditionName(numbers), ...numbers };
  });
}

/** Values of the options of dimensions, by flag. */
type DimensionValues = Readonly<Record<string, unknown>>;

/** Values of these options, with traces and receive buffers in the form of conditions. */
function givenOf(values: Values): DimensionValues {
  return {
    ...values,
    trace: values.trace?.map(traceReference),
    'trace-up': values['trace-up']?.map(traceReference),
    'receive-buffer': values['receive-buffer'].map(
      (size) => receiveBufferBytes(size) ?? ('stock' as const),
    ),
  };
}

/** Every combination of the values of some dimensions. */
function combined(rows: readonly AnyDimension[], given: DimensionValues): Dimensions[] {
  return rows.reduce<Dimensions[]>(
    (conditions, { field, flag, none }) =>
      conditions.flatMap((condition) =>
        ((given[flag] ?? [null]) as readonly unknown[]).map((one) => {
          const value = one ?? none;
          return value === undefined ? condition : { ...condition, [field]: value };
        }),
      ),
    [{}],
  );
}

/** A condition for each combination of the options that have several values; one value would apply to the whole run. */
function withSeveral(network: NetworkCondition, given: DimensionValues): NetworkCondition[] {
  const rows = DIMENSION_ROWS.filter(
    ({ ofRun, flag }) => ofRun && ((given[flag] ?? []) as readonly unknown[]).length > 1,
  );
  return combined(rows, given).map((dimensions) => {
    const parts = dimensionsOf(dimensions, rows).map(({ row, value }) => row.name(value));
    return Object.assign({}, network, dimensions, {
      name: [network.name, ...parts].join('-'),
    }) as NetworkCondition;
  });
}

/** Initial size of TCP's receive buffer, in bytes; null: the kernel's default. */
export function receiveBufferBytes(size: Values['receive-buffer'][number]): number | null {
  if (size === 'stock') return null;
  return size === 'matched' ? matchedReceiveBufferBytes() : size;
}

/** @throws UsageError when jitter exceeds the delay */
function assertJitterFits({ jitterMs, rttMs }: NetworkCondition): void {
  if (jitterMs <= rttMs / 2) return;
  throw new UsageError(
    `--jitter ${jitterMs} with --rtt ${rttMs}: expected at most half of the round-trip time, which is the delay each way.`,
  );
}

/** A trace without its content, as conditions have it. */
function traceReference({ bytes: _, ...reference }: Trace): TraceReference {
  return reference;
}

/**
 * The recorded links of both directions, without duplicates.
 * @throws UsageError for two different ones with the same name
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

/** @throws UsageError for a queue without a rate or delay, or without room for two packets */
function assertHoldsPackets(network: NetworkCondition, longestBytes: number): void {
  const { queueBdp, rttMs } = network;
  if (queueBdp === undefined) return;
  const directions = PATH_DIRECTIONS.filter((direction) => limitKbps(network, direction) !== null);
  if (directions.length === 0) {
    throw new UsageError(
      `--queue-bdp ${queueBdp}: without a rate nothing waits. Add --down KBIT, for example --down 10000, or --trace FILE.`,
    );
  }
  if (rttMs === 0) {
    throw new UsageError(
      `--queue-bdp ${queueBdp} with --rtt 0: the bandwidth-delay product without delay is 0. Give a delay, for example --rtt 30.`,
    );
  }
  const minBytes = 2 * framedBytes(longestBytes);
  for (const direction of directions) {
    const bytes = queueBytes(network, direction, longestBytes);
    if (bytes >= minBytes) continue;
    throw new UsageError(
      `--queue-bdp ${queueBdp} with --rtt ${rttMs} and ${Math.round(limitKbps(network, direction) ?? 0)} kbit/s ${direction === 'toClient' ? 'down' : 'up'}: a queue of ${bytes} bytes has no room for two packets (${minBytes} bytes). Give a larger one, or a higher rate.`,
    );
  }
}
