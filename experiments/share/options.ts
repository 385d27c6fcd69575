import { NETWORK_OPTIONS, rttHelp } from '../../ground/options/network.ts';
import { number } from '../../ground/options/readers.ts';
import { optionGroup, ownChoiceLines, type Reader } from '../../ground/options/row.ts';
import { BOUNDS } from '../../ground/records/ranges.ts';
import { UsageError } from '../../ground/system/exit-status.ts';
import { FLOW_CHOICES, type Mix, MOST_FLOWS } from './records.ts';

/** Mixes with slashes between, which no shell takes for anything: `lsquic-h3:1,bun-h2:1/bun-h2:2 (default ${MIX_BY_DEFAULT})`. */
const mixes: Reader<Mix[]> = (option, given) => {
  const found = given.split('/').map((text) => mixOf(option, text));
  const twice = found.find(
    ({ subject }, index) => found.findIndex((mix) => mix.subject === subject) !== index,
  );
  if (twice === undefined) return found;
  throw new UsageError(`--${option} ${given}: ${mixText(twice)} stands twice. Expected each once.`);
};

function mixOf(option: string, text: string): Mix {
  const flows = text.split(',').map((part) => {
    const [, stack = '', count] = /^ *([a-z][a-z0-9-]*):(\d+) *$/.exec(part) ?? [];
    if (Number(count) >= 1) return { stack, flows: Number(count) };
    throw new UsageError(
      `--${option} ${text || '""'}: expected stacks with numbers of flows from 1, with commas between, for example lsquic-h3:1,bun-h2:1; and a slash between several mixes.`,
    );
  });
  const names = flows.map(({ stack }) => stack);
  const twice = names.find((stack, index) => names.indexOf(stack) !== index);
  if (twice !== undefined) {
    throw new UsageError(
      `--${option} ${text}: ${twice} stands twice. Give its flows as one number.`,
    );
  }
  const all = flows.reduce((sum, each) => sum + each.flows, 0);
  if (all < 2 || all > MOST_FLOWS) {
    throw new UsageError(
      `--${option} ${text}: expected 2 to ${MOST_FLOWS} flows in all, got ${all}. Each is a program of its own on this machine.`,
    );
  }
  return { subject: flows.map((each) => `${each.flows}-${each.stack}`).join('+'), flows };
}

/** A mix as it is given. */
function mixText({ flows }: Mix): string {
  return flows.map(({ stack, flows: count }) => `${stack}:${count}`).join(',');
}

const MIX_BY_DEFAULT = 'lsquic-h3:1,bun-h2:1';

/** The mixes where none is asked for. */
export const MIXES_BY_DEFAULT: readonly Mix[] = mixes('flows', MIX_BY_DEFAULT);

/** Of a path without a delay there is no bandwidth-delay product to speak of. */
export const RTT_OF_FLOWS_MS = [30];

/** What only sharing has. */
export const FLOW_OPTIONS = optionGroup('Who shares the bottleneck', 'plan', {
  flows: {
    argument: 'MIX/MIX',
    help: `stacks with their numbers of flows, 2 to ${MOST_FLOWS} in all, that download over one bottleneck at once; a slash between several mixes: lsquic-h3:1,bun-h2:1/bun-h2:2 (default ${MIX_BY_DEFAULT})`,
    read: mixes,
    said: ownChoiceLines(FLOW_CHOICES, ({ mixes: own }) => [
      ['Flows', own.map(mixText).join('; ')],
    ]),
  },
  duration: {
    argument: 'S',
    help: 'how long all flows of a mix are there at once, in seconds, 2 to 300; the first tenth, and at least one second, is not counted',
    read: number(BOUNDS.flowsS),
    // Cubic takes some seconds from one loss to the next on a path of 10 Mbit/s and 30 ms.
    byDefault: 30,
    said: ownChoiceLines(FLOW_CHOICES, ({ durationMs }) => [
      ['All flows at once for', `${durationMs / 1000} s`],
    ]),
  },
  'start-gap': {
    argument: 'S',
    help: 'seconds after one flow until the next one begins, 0 to 60; which one is first changes from block to block',
    read: number(BOUNDS.startGapS),
    byDefault: 0,
    said: ownChoiceLines(FLOW_CHOICES, ({ startGapMs }) => [
      ['Between the starts of two flows', `${startGapMs / 1000} s`],
    ]),
  },
});

/** The same with those of all that it has otherwise. */
export const OPTIONS_OF_SHARING = {
  ...FLOW_OPTIONS,
  rtt: { ...NETWORK_OPTIONS.rtt, help: rttHelp(RTT_OF_FLOWS_MS) },
};
