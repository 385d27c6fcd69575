import path from 'node:path';

/** Where everything of a ladder lies below its folder. */
export function ladderFolder(folder: string) {
  return {
    folder,
    ladder: path.join(folder, 'ladder.json'),
    summaryJson: path.join(folder, 'ladder-summary.json'),
    page: path.join(folder, 'ladder.html'),
  };
}

/** The preset that the run of a step has in its run.json. */
export function presetOfStep({ name }: { name: string }): string {
  return `ladder/${name}`;
}
