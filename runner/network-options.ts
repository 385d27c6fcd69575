import { conditionName, NAMED_CONDITIONS } from '../network/conditions.ts';
import type { AskedNetwork, BurstLoss } from '../records/network.ts';
import { UsageError } from '../system/errors.ts';
import { DEFAULTS } from './defaults.ts';
import { didYouMean } from './nearest-name.ts';
import { readList, readNumber, readOptionalNumber } from './option-values.ts';

/** The options that say what the network is to be. */
export const NETWORK_OPTIONS = {
  rtt: { type: 'string' },
  down: { type: 'string' },
  up: { type: 'string' },
  loss: { type: 'string' },
  jitter: { type: 'string' },
  'burst-loss': { type: 'string' },
  network: { type: 'string' },
} as const;

type Values = Partial<Record<keyof typeof NETWORK_OPTIONS, string>>;

const NUMBERED = ['rtt', 'down', 'up', 'loss', 'jitter', 'burst-loss'] as const;

/**
 * The conditions of --network as they are named, and those of --rtt with everything that goes with it.
 * @throws UsageError with the wrong value and the valid ones.
 */
export function readNetworks(values: Values): AskedNetwork[] {
  const named = values.network === undefined ? [] : readList('network', values.network);
  assertEachOnce('network', named);
  const networks = named.map((name): AskedNetwork => {
    const found = NAMED_CONDITIONS.find((condition) => condition.name === name);
    if (!found) {
      const names = NAMED_CONDITIONS.map((condition) => condition.name);
      throw new UsageError(
        `Unknown network ${name}.${didYouMean(name, names)} Networks: ${names.join(', ')}.`,
      );
    }
    const { source: _, ...condition } = found;
    return condition;
  });
  const numbered = NUMBERED.filter((name) => values[name] !== undefined);
  if (named.length > 0 && numbered.length > 0 && values.rtt === undefined) {
    throw new UsageError(
      `--${numbered.join(', --')} and --network: named networks have all their numbers. Give --rtt too for conditions of your own.`,
    );
  }
  if (named.length === 0 || values.rtt !== undefined) networks.push(...numberedNetworks(values));
  return [...new Map(networks.map((network) => [network.name, network])).values()];
}

function assertEachOnce(option: string, values: readonly (string | number)[]): void {
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  if (twice === undefined) return;
  throw new UsageError(
    `--${option} ${values.join()}: ${twice} stands twice. Expected each condition once; --repetitions asks for more loads.`,
  );
}

function numberedNetworks(values: Values): AskedNetwork[] {
  const rttsMs =
    values.rtt === undefined
      ? DEFAULTS.rttMs
      : readList('rtt', values.rtt).map((text) => readNumber('rtt', text, [0, 10_000]));
  assertEachOnce('rtt', rttsMs);
  const downKbps = readOptionalNumber('down', values.down, [64, 10_000_000]);
  const upKbps = readOptionalNumber('up', values.up, [64, 10_000_000]);
  const lossPercent = readOptionalNumber('loss', values.loss, [0, 50]) ?? 0;
  const jitterMs = readOptionalNumber('jitter', values.jitter, [0, 1000]) ?? 0;
  const burstLoss = readBurstLoss(values['burst-loss']);
  return rttsMs.map((rttMs) => {
    if (jitterMs > rttMs / 2) {
      throw new UsageError(
        `--jitter ${jitterMs} with --rtt ${rttMs}: expected at most half of the round-trip time, which is the delay each way.`,
      );
    }
    const numbers = { rttMs, downKbps, upKbps, lossPercent, jitterMs, burstLoss };
    return { name: conditionName(numbers), ...numbers };
  });
}

function readBurstLoss(text: string | undefined): BurstLoss | null {
  if (text === undefined) return null;
  const [enter, leave, ...rest] = readList('burst-loss', text);
  if (enter === undefined || leave === undefined || rest.length > 0) {
    throw new UsageError(`--burst-loss ${text}: expected two percentages, for example 0.4,33.`);
  }
  return {
    enterPercent: readNumber('burst-loss', enter, [0, 100]),
    leavePercent: readNumber('burst-loss', leave, [1, 100]),
  };
}
