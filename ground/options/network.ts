import {
  DIMENSION_ROWS,
  type DimensionField,
  type DimensionReaders,
} from '../records/dimensions.ts';
import type { NetworkCondition } from '../records/network.ts';
import { OPTION_DEFAULTS } from './defaults.ts';
import * as readers from './readers.ts';
import { type OptionRow, optionGroup, reportLine } from './row.ts';
import { traces } from './traces.ts';

const { eachOnce, names, oneOf } = readers;

/** Options of the dimensions of a network. */
export const DIMENSION_OPTIONS = Object.fromEntries(
  DIMENSION_ROWS.map((row) => {
    const { flag, argument, help, conflicts } = row;
    const read = row.read({ ...readers, traces });
    return [flag, { argument, help, read, ...(conflicts && { conflicts }), lines: { by: 'rtt' } }];
  }),
) as {
  [Flag in keyof DimensionReaders]: Pick<OptionRow, 'argument' | 'conflicts' | 'help' | 'lines'> & {
    read: DimensionReaders[Flag];
  };
};

const { cc: _, initcwnd: __, mtu, 'receive-buffer': receiveBuffer, ...NUMBERS } = DIMENSION_OPTIONS;

/** Options that define a condition without a name. */
export const CONDITION_FLAGS = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];

/** Whether no option of the network is set. */
export function isNetworkUnset(
  values: Readonly<Record<(typeof CONDITION_FLAGS)[number] | 'network', unknown>>,
): boolean {
  return values.network === null && CONDITION_FLAGS.every((name) => values[name] === null);
}

export function rttHelp(byDefaultMs: readonly number[]): string {
  return `${NUMBERS.rtt.help} (default ${byDefaultMs.join()})`;
}

/** Values of a dimension in a run: of the whole run, or the distinct ones of its conditions. */
function valuesText<Field extends DimensionField>(
  {
    choices,
    networks,
  }: { choices: Pick<Required<NetworkCondition>, Field>; networks: readonly NetworkCondition[] },
  field: Field,
  textOf: (value: NonNullable<NetworkCondition[Field]>) => string,
): string {
  const values = networks.map((network) => network[field] ?? choices[field]);
  return [...new Set(values)].map((value) => textOf(value as NonNullable<typeof value>)).join(', ');
}

export const NETWORK_OPTIONS = optionGroup('The network', 'plan', {
  ...NUMBERS,
  rtt: {
    ...NUMBERS.rtt,
    help: rttHelp(OPTION_DEFAULTS.rttMs),
    lines: reportLine('Network conditions', ({ networks }) =>
      networks.map(({ name }) => name).join(', '),
    ),
  },
  network: {
    argument: 'a,b',
    help: ({ networks }) => `named conditions: ${networks.join(', ')} (default: those of --rtt)`,
    read: eachOnce(names),
    lines: { by: 'rtt' },
  },
  mtu: {
    ...mtu,
    byDefault: [OPTION_DEFAULTS.mtuBytes],
    lines: reportLine('MTU of the path', (run) =>
      valuesText(run, 'mtuBytes', (mtuBytes) => `${mtuBytes.toLocaleString('en-US')} bytes`),
    ),
  },
  offloads: {
    argument: 'HOW',
    help: 'on: several segments may cross the path as one packet, as on loopback; off: one segment per packet',
    read: oneOf('off', 'on'),
    byDefault: 'off',
    lines: reportLine('Several segments as one packet', ({ choices }) => choices.offloads),
  },
  'receive-buffer': {
    ...receiveBuffer,
    byDefault: ['matched' as const],
    lines: reportLine('Initial receive buffer of TCP', (run) =>
      valuesText(
        { ...run, choices: { receiveBuffer: run.choices.receiveBufferBytes ?? 'stock' } },
        'receiveBuffer',
        (size) => (size === 'stock' ? 'the kernel’s own' : `${size.toLocaleString('en-US')} bytes`),
      ),
    ),
  },
  'network-backend': {
    argument: 'HOW',
    help: 'netem: the kernel emulates the path; userspace: a program emulates it; auto: netem if the kernel supports it',
    read: oneOf('auto', 'netem', 'userspace'),
    byDefault: 'auto',
    lines: reportLine('Path made by', ({ backend }) => backend),
  },
});
