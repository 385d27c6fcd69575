import type { AbuseResult } from './attack-server.ts';

/** Results of servers under attack as tables in Markdown. */
export function abuseTables(
  ordeals: readonly AbuseResult[],
  minutes: number,
  seed: number,
): string {
  const servers = ordeals.map(
    ({ stack, fresh, before, after, mostRssBytes, restingCores, ...of }) => [
      stack,
      ...[fresh.rssBytes, before.rssBytes, mostRssBytes, after.rssBytes].map(megabytes),
      `${before.openFiles} / ${after.openFiles}`,
      (restingCores * 100).toFixed(0),
      count(of.visits),
      count(of.heldUp),
      (of.slowestVisitMs / 1000).toFixed(1),
      String(of.faults.length),
    ],
  );
  const attacks = ordeals.flatMap(({ stack, attacks: all }) =>
    [...all]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([name, { rounds, sent, received, mostRssBytes }]) => [
        stack,
        name,
        count(rounds),
        count(sent),
        megabytes(received),
        megabytes(mostRssBytes),
      ]),
  );
  return [
    `${minutes} minutes, seed ${seed}`,
    table(
      [
        'stack',
        'MB when started',
        'after warm-up',
        'most',
        'after',
        'open files before / after',
        '% of a processor at rest',
        'visits',
        'held up',
        'slowest, s',
        'faults',
      ],
      servers,
    ),
    table(
      ['stack', 'attack', 'times', 'sent', 'MB received', 'MB held after it, at most'],
      attacks,
    ),
  ].join('\n\n');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
