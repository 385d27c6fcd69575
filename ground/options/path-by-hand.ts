import { DIMENSION_ROWS } from '../records/dimensions.ts';
import { UsageError } from '../system/exit-status.ts';
import { CONDITION_FLAGS, type DIMENSION_OPTIONS, NETWORK_OPTIONS } from './network.ts';
import type { OptionRow, Reader } from './row.ts';
import { SERVER_OPTIONS } from './servers.ts';

type Flag = keyof typeof DIMENSION_OPTIONS;

const RUN_OPTIONS = {
  ...NETWORK_OPTIONS,
  cc: SERVER_OPTIONS.cc,
  initcwnd: SERVER_OPTIONS.initcwnd,
};

/** Dimensions of one path, with one value each. */
export const DIMENSIONS_BY_HAND = Object.fromEntries(
  DIMENSION_ROWS.flatMap(({ flag, helpByHand }) => {
    const row: OptionRow = RUN_OPTIONS[flag as Flag];
    return helpByHand === null
      ? []
      : [[flag, singleValue<unknown, ListOption>(row as ListOption, helpByHand)]];
  }),
) as unknown as Pick<typeof RUN_OPTIONS, Exclude<Flag, 'lose' | 'event'>>;

const { lose: _, event: __, ...NETWORK } = NETWORK_OPTIONS;
const { cc: ___, initcwnd: ____, ...NUMBERS } = DIMENSIONS_BY_HAND;

/** Options of one path, as for one condition of a run. */
export const PATH_BY_HAND_OPTIONS = {
  ...NETWORK,
  ...NUMBERS,
  network: {
    ...singleValue(
      NETWORK.network,
      ({ networks }) =>
        `a named network in place of numbers: ${networks.join(', ')} (default: that of --rtt)`,
    ),
    conflicts: CONDITION_FLAGS,
  },
};

type ListOption<T = unknown> = Omit<OptionRow, 'read' | 'byDefault'> & { read: Reader<T[]> };

/** An option that accepts several values in a run, each for a condition. */
export function singleValue<T, Row extends ListOption<T>>(row: Row, help: OptionRow['help']) {
  const read: Reader<T[]> = (option, given) => {
    const values = row.read(option, given);
    if (values.length === 1) return values;
    throw new UsageError(`--${option} ${given}: one path at a time. Give one value.`);
  };
  const { argument } = row;
  const { words } = row.read;
  return {
    ...row,
    help,
    read: Object.assign(read, words && { words }),
    argument: argument?.split(',')[0] ?? null,
  };
}
