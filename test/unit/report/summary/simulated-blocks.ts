import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Block } from '../../../../report/summary/blocks.ts';
import { fixtureRun, ONE_SITE } from '../fixture-run.ts';

const [TEMPLATE] = fixtureRun({ ...ONE_SITE, repetitions: 1 }).observations;

/** Normal noise that is the same for the same seed (Box and Muller). */
export function noiseFrom(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  const uniform = () => ((generator.next() >>> 0) + 0.5) / 2 ** 32;
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Whole blocks of two stacks `a` and `b` with log-normal page load times around 400 ms; `a` takes `ratio` as long. */
export function simulatedBlocks(
  nBlocks: number,
  noise: () => number,
  { ratio = 1, spread = 0.1 }: { ratio?: number; spread?: number } = {},
): Block[] {
  if (!TEMPLATE) throw new Error('the fixture has no load');
  const template = TEMPLATE;
  return Array.from({ length: nBlocks }, (_, index) => {
    const loads = new Map(
      ['a', 'b'].map((arm) => {
        const pageLoadMs = 400 * (arm === 'a' ? ratio : 1) * Math.exp(spread * noise());
        return [arm, { ...template, arm, metrics: { ...template.metrics, pageLoadMs } }];
      }),
    );
    return {
      subject: 'a.example',
      network: 'none',
      variant: 'cold',
      block: index + 1,
      made: [...loads.values()],
      loads,
      failed: new Map(),
      whole: true,
      sitting: '',
      machine: null,
      onSeveralMachines: false,
      disturbed: false,
    };
  });
}
