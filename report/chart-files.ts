import path from 'node:path';
import { writeFileAtomically } from '../ground/records/atomic-file.ts';
import { csvLine } from '../ground/records/csv-line.ts';
import { standaloneSvg } from '../kit/charts/chart-file.ts';
import type { Chart, ChartData } from '../kit/page/chart.ts';
import { cannotWrite } from './new-folder.ts';

/** Writes each chart as an SVG file that stands alone, and its numbers as CSV next to it. */
export async function writeCharts(folder: string, charts: readonly Chart[]): Promise<void> {
  const names = new Set<string>();
  try {
    for (const chart of charts) {
      const { name, data } = chart;
      const file = path.join(folder, uniqueName(name ?? 'chart', names));
      await writeFileAtomically(`${file}.svg`, standaloneSvg(chart));
      if (data !== null) await writeFileAtomically(`${file}.csv`, chartCsv(data));
    }
  } catch (error) {
    throw cannotWrite('charts', folder, error);
  }
}

/** Limits of file systems. */
const MOST_CHARACTERS = 120;

/** A name that no other chart has, in letters that every file system keeps apart. */
export function uniqueName(name: string, taken: Set<string>): string {
  const plain = name
    .replaceAll(/[^A-Za-z0-9_]+/g, '-')
    .slice(0, MOST_CHARACTERS)
    .replaceAll(/^-+|-+$/g, '');
  const base = plain === '' ? 'chart' : plain;
  let unique = base;
  for (let number = 2; taken.has(unique.toLowerCase()); number += 1) unique = `${base}-${number}`;
  taken.add(unique.toLowerCase());
  return unique;
}

/** Numbers as text, because csvLine() rounds numbers. */
export function chartCsv({ columns, rows }: ChartData): string {
  const lines = rows().map((row) =>
    csvLine(row.map((value) => (typeof value === 'number' ? numberText(value) : value))),
  );
  return [csvLine(columns), ...lines, ''].join('\n');
}

function numberText(value: number): string | null {
  return Number.isFinite(value) ? String(value) : null;
}
