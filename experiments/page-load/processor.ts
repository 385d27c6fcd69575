import type { Factor } from '../../ground/experiment.ts';
import { eachOnce, names, wholeNumber } from '../../ground/options/readers.ts';
import type { Reader } from '../../ground/options/row.ts';
import { BOUNDS } from '../../ground/records/ranges.ts';
import type { RunRecord, Trial } from '../../ground/records/run.ts';

const PREFIX = 'cpu-';
const [, MOST_TIMES] = BOUNDS.processorSlowdown;

/** Speeds of the processor for the work of pages. */
export const CPU: Factor = Object.fromEntries(
  Array.from({ length: MOST_TIMES }, (_, index) => {
    const text = `processor slowed ${index + 1} times`;
    return [
      `${PREFIX}${index + 1}`,
      index === 0
        ? { text: 'processor at full speed', phrase: null }
        : { text, phrase: `a ${text}` },
    ];
  }),
);

/** Accepts numbers and values of the factor: `4` and `cpu-4`. */
export const slowdowns: Reader<string[]> = eachOnce((option, given) =>
  names(option, given).map((each) => {
    const times = each.startsWith(PREFIX) ? each.slice(PREFIX.length) : each;
    return `${PREFIX}${wholeNumber(BOUNDS.processorSlowdown)(option, times)}`;
  }),
);

/** How many times as long the work of the page takes. */
export function slowdownOf({ factors: { cpu } }: Pick<Trial, 'factors'>): number {
  return cpu === undefined ? 1 : Number(cpu.slice(PREFIX.length));
}

/** Limit of the claim of a run with slowed pages, as a sentence. */
export function processorCautions({ factors: { cpu = [] } }: Pick<RunRecord, 'factors'>): string[] {
  if (!cpu.some((value) => slowdownOf({ factors: { cpu: value } }) > 1)) return [];
  return [
    'Only the main threads of pages were slowed (--cpu), not Chromium’s network process, which runs QUIC and TLS. A device with a slow processor may pay more for QUIC than this run shows.',
  ];
}
