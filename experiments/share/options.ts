import { NETWORK_OPTIONS, rttHelp } from '../../ground/options/network.ts';
import { number } from '../../ground/options/readers.ts';
import { optionGroup, ownChoiceLines, type Reader } from '../../ground/options/row.ts';
import { BOUNDS } from '../../ground/records/ranges.ts';
import { UsageError } from '../../ground/system/exit-status.ts';
import { FLOW_CHOICES, type Mix, MOST_FLOWS } from './records.ts';

/** Reads mixes, separated by slashes, which have no meaning in shells: `lsquic-h3:1,bun-h2:1/bun-h2:2`. */
const mixes: Reader<Mix[]> = (option, given) => {
  const found = given.split('/').map((text) => mixOf(option, text));
  const twice = found.find(
    ({ subject }, index) => found.findIndex((mix) => mix.subject === subject) !== index,
  );
  if (twice === undefined) return found;
  throw new UsageError(
    `--${option} ${given}: ${mixText(twice)} occurs twice. Expected each mix once.`,
  );
};

function mixOf(option: string, text: string): Mix {
  const flows = text.split(',').map((part) => {
    const [, stack = '', count] = /^ *([a-z0-9][\w@.+-]*):(\d+) *$/.exec(part) ?? [];
    if (Number(count) >= 1) return { stack, flows: Number(count) };
    throw new UsageError(
      `--${option} ${text || '""'}: expected stacks with numbers of flows from 1, separated by commas, for example lsquic-h3:1,bun-h2:1. Separate several mixes by slashes.`,
    );
  });
  const names = flows.map(({ stack }) => stack);
  const twice = names.find((stack, index) => names.indexOf(stack) !== index);
  if (twice !== undefined) {
    throw new UsageError(
      `--${option} ${text}: ${twice} occurs twice. Give its flows as one number.`,
    );
  }
  const all = flows.reduce((sum, each) => sum + each.flows, 0);
  if (all < 2 || all > MOST_FLOWS) {
    throw new UsageError(
      `--${option} ${text}: expected 2 to ${MOST_FLOWS} flows in all, got ${all}. Each is a separate process on this machine.`,
    );
  }
  return { subject: flows.map((each) => `${each.flows}-${each.stack}`).join('+'), flows };
}

function mixText({ flows }: Mix): string {
  return flows.map(({ stack, flows: count }) => `${stack}:${count}`).join(',');
}

const MIX_BY_DEFAULT = 'lsquic-h3:1,bun-h2:1';

export const MIXES_BY_DEFAULT: readonly Mix[] = mixes('flows', MIX_BY_DEFAULT);

/** Default mix of a server of the user. */
export function mixOfServer(name: string): Mix {
  return mixOf('flows', `${name}-h3:1,${name}-h2:1`);
}

/** Default round-trip times: without a delay the bandwidth-delay product would be almost zero. */
export const RTT_OF_FLOWS_MS = [30];

export const FLOW_OPTIONS = optionGroup('Flows over the bottleneck', 'plan', {
  flows: {
    argument: 'MIX/MIX',
    help: `stacks with their numbers of flows, 2 to ${MOST_FLOWS} in all, that download over one bottleneck at once; several mixes are separated by slashes: lsquic-h3:1,bun-h2:1/bun-h2:2 (default ${MIX_BY_DEFAULT}, or those of each --server)`,
    read: mixes,
    lines: ownChoiceLines(FLOW_CHOICES, ({ mixes: own }) => [
      ['Flows', own.map(mixText).join('; ')],
    ]),
  },
  duration: {
    argument: 'S',
    help: 'seconds during which all flows of a mix are active, 2 to 300; the first tenth, at least one second, is not counted',
    read: number(BOUNDS.flowsS),
    // Cubic takes some seconds from one loss to the next on a path of 10 Mbit/s and 30 ms.
    byDefault: 30,
    lines: ownChoiceLines(FLOW_CHOICES, ({ durationMs }) => [
      ['All flows at once for', `${durationMs / 1000} s`],
    ]),
  },
  'start-gap': {
    argument: 'S',
    help: 'seconds between the starts of two flows, 0 to 60; the first flow changes from block to block',
    read: number(BOUNDS.startGapS),
    byDefault: 0,
    lines: ownChoiceLines(FLOW_CHOICES, ({ startGapMs }) => [
      ['Between the starts of two flows', `${startGapMs / 1000} s`],
    ]),
  },
});

export const OPTIONS_OF_SHARING = {
  ...FLOW_OPTIONS,
  rtt: { ...NETWORK_OPTIONS.rtt, help: rttHelp(RTT_OF_FLOWS_MS) },
};
