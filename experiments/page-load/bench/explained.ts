import type { Estimate } from '../../../kit/text/estimate.ts';
import { readOptions } from '../../../runner/bench/harness/options.ts';
import { fixed } from '../../../runner/bench/harness/table.ts';
import { MADE_CASES } from './explained/made-cases.ts';
import { explainMade } from './explained/measure.ts';

// Divides made differences into their parts, and compares the parts with what was made.
const values = readOptions('Divides known differences of page loads into their parts.', {
  only: { type: 'string' },
  repetitions: { type: 'string', default: '24' },
});
const places = values.only?.split(',').map(Number);
const cases = MADE_CASES.filter((_, index) => places?.includes(index + 1) ?? true);

console.log('| case | stack | RTT | whole | parts (made) | residual | right |');
console.log('|---|---|---|---|---|---|---|');
let right = 0;
for (const made of cases) {
  const { found, isRight } = await explainMade(made, Number(values.repetitions));
  if (isRight) right++;
  const parts = (found?.parts ?? []).map(
    ({ name, part }) => `${name} ${text(part)} (${fixed(made.costsMs[name] ?? 0, 0)})`,
  );
  const cells = [
    MADE_CASES.indexOf(made) + 1,
    made.stack,
    `${made.rttMs} ms`,
    text(found?.whole ?? null),
    parts.join('; '),
    text(found?.residual ?? null),
    isRight ? 'yes' : '**no**',
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
console.log(`\n${right} of ${cases.length} divided rightly`);

function text(estimate: Estimate | null): string {
  if (!estimate) return '-';
  return `${fixed(estimate.estimate)} [${fixed(estimate.low)} to ${fixed(estimate.high)}]`;
}
