import path from 'node:path';
import type { Part } from './parts.ts';

type Named = Pick<Part, 'name'>;

/** Where everything of a measurement lies below its folder. */
export function seriesFolder(folder: string) {
  const plans = path.join(folder, 'plans');
  const results = path.join(folder, 'results');
  return {
    plans,
    /** Frozen before the first load of any part. */
    plan: ({ name }: Named) => path.join(plans, `${name}.json`),
    /** The folder of a part's run. */
    part: ({ name }: Named) => path.join(folder, name),
    results,
  };
}
