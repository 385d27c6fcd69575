import { experimentOf } from '../../experiments/index.ts';
import { isLiveRun } from '../../ground/records/network.ts';
import { isOverQuic } from '../../ground/records/protocol.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { shellLine } from '../../ground/system/shell-word.ts';

/** Options that the command does not repeat. */
const OMITTED = ['--receive-buffer', '--initcwnd', '--film', '--out', '--freeze'];

/** Command of the same comparison with matched transports; null: they are matched, or QUIC is not compared with TCP. */
export function matchedCommand(run: RunRecord): string | null {
  const { choices, networks, arms, command } = run;
  // Conditions with several sizes compare them.
  const isStock =
    (choices.receiveBufferBytes === null && networks.every((each) => !each.receiveBuffer)) ||
    (choices.initialWindowSegments === null && networks.every((each) => !each.initialWindow));
  const isCompared = new Set(arms.map(({ protocol }) => isOverQuic(protocol))).size > 1;
  if (!isStock || !isCompared || isLiveRun(run) || run.read) return null;
  let isKept = true;
  const kept = command.filter((word) => {
    if (word.startsWith('--')) isKept = !OMITTED.includes(word.split('=')[0] ?? '');
    return isKept;
  });
  const name = experimentOf(run).command?.name ?? '';
  const matched = ['--receive-buffer', 'matched', '--initcwnd', 'matched'];
  return `npm run ${name} -- ${shellLine([...kept, ...matched])}`;
}
