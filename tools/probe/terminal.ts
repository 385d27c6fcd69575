import { type Host, hostText } from '../../ground/options/hosts.ts';
import type { ProbeRecord } from '../../ground/records/probe.ts';
import { printable } from '../../ground/system/printed.mjs';
import { shortened } from '../../kit/text/terminal.ts';
import { COLUMNS } from './columns.ts';

/** Longer texts are whole in the files. */
const MOST_CHARACTERS = 40;

/** The lines of a table that grows: columns are as wide as texts mostly are, since those of later rows are not known yet. */
export function growingTable(hosts: readonly Host[]) {
  const longest = hosts.reduce((most, host) => Math.max(most, hostText(host).length), 0);
  const line = (texts: readonly string[]) =>
    texts
      .map((text, column) => {
        const width = column === 0 ? Math.min(longest, MOST_CHARACTERS) : COLUMNS[column]?.width;
        return shortened(printable(text), MOST_CHARACTERS).padEnd(width ?? 0);
      })
      .join('  ')
      .trimEnd();
  return {
    head: line(COLUMNS.map(({ heading }) => heading)),
    row: (record: ProbeRecord) => line(COLUMNS.map(({ text }) => text(record))),
  };
}
