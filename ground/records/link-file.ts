import { type CsvValue, csvLine } from './csv-line.ts';
import type { LinkSample } from './link-sample.ts';

type Direction = LinkSample['toServer'];

/** Columns of each direction, by the end of their names. */
const COLUMNS = {
  packets: 'packets',
  bytes: 'bytes',
  lost: 'lost',
  queue_drops: 'queueDrops',
  busy_ms: 'busyMs',
  most_queued_bytes: 'mostQueuedBytes',
  most_wait_ms: 'mostWaitMs',
  capacity_bytes: 'capacityBytes',
} as const satisfies Record<string, keyof Direction>;

const DIRECTIONS = { up: 'toServer', down: 'toClient' } as const;

const HEADER = ['t_ms', 'for_ms', ...Object.keys(DIRECTIONS).flatMap(columnsOf)];

function columnsOf(way: string): string[] {
  return Object.keys(COLUMNS).map((column) => `${way}_${column}`);
}

/** Table of the link's samples during an attempt. */
export function linkTable(samples: readonly LinkSample[]): string {
  const beganMs = samples[0]?.atMs ?? 0;
  const lines = samples.map((sample): CsvValue[] => [
    sample.atMs - beganMs,
    sample.forMs,
    ...Object.values(DIRECTIONS).flatMap((direction) =>
      Object.values(COLUMNS).map((name) => sample[direction][name]),
    ),
  ]);
  return [HEADER, ...lines].map((values) => `${csvLine(values)}\n`).join('');
}

/**
 * Parses such a table; times are relative to the attempt's start.
 * @throws Error with the problem as a clause
 */
export function linkSamplesIn(table: string): LinkSample[] {
  const [header, ...lines] = table.split('\n');
  if (header !== HEADER.join()) throw new Error('its header is not that of a table of the link');
  return lines.slice(0, -1).map((line, index) => {
    const [atMs = Number.NaN, forMs = Number.NaN, ...rest] = line.split(',').map(Number);
    if (rest.length !== HEADER.length - 2 || ![atMs, forMs, ...rest].every(Number.isFinite)) {
      throw new Error(`line ${index + 2} is not a row of such a table`);
    }
    const each = Object.values(COLUMNS);
    const directionFrom = (first: number) =>
      Object.fromEntries(each.map((name, column) => [name, rest[first + column]])) as Direction;
    return { atMs, forMs, toServer: directionFrom(0), toClient: directionFrom(each.length) };
  });
}
