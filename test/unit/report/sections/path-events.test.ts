import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NetworkCondition, PathCounts } from '../../../../ground/records/network.ts';
import { DELAYED, fixtureRun } from '../fixture-run.ts';
import { documentOf } from '../reported.ts';

const CUT: NetworkCondition = {
  ...DELAYED,
  name: 'cut',
  event: { kind: 'cut', atMs: 500, lastsMs: 1000 },
};
const REBOUND: NetworkCondition = {
  ...DELAYED,
  name: 'rebound',
  event: { kind: 'rebind', atMs: 500 },
};

const HAPPENED: NonNullable<PathCounts['event']> = {
  firstPacketMs: 10_000,
  happenedAtMs: 500,
  changedConnections: 0,
  laterConnections: 1,
  forgottenPackets: 0,
};

/** The section of a run under these conditions in which each load lost 7 packets. */
async function sectionOf(networks: NetworkCondition[]): Promise<Element | null> {
  const made = fixtureRun({ subjects: ['a.example'], networks });
  for (const { path, network } of made.observations) {
    if (!path || !network.event) continue;
    path.event = HAPPENED;
    path.toServer.cut = 2;
    path.toClient.cut = 5;
  }
  return (
    (await documentOf(made)).getElementById('path-events')?.closest('section, details') ?? null
  );
}

/** Its tables, each as heading to the first row's cell. */
function tablesOf(section: Element | null): Record<string, string>[] {
  return [...(section?.querySelectorAll('table') ?? [])].map((table) => {
    const texts = (selector: string) =>
      [...table.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '');
    const [, ...headings] = texts('thead th');
    const cells = texts('tbody tr:first-child td');
    assert.equal(cells.length, headings.length);
    return Object.fromEntries(headings.map((heading, at) => [heading, cells[at] ?? '']));
  });
}

test('reports the losses of a cut, and the path validation of a port change', async () => {
  const section = await sectionOf([DELAYED, CUT, REBOUND]);
  const [cut = {}, rebound = {}] = tablesOf(section);
  assert.equal(cut['Packets lost in the cut'], '7');
  assert.equal(cut['Went on'], cut.Made);
  assert.equal(cut['Connections or ports begun later'], '1');
  assert.ok('without the event' in cut && !('answered after, ms' in cut));
  assert.ok('answered after, ms' in rebound && !('Packets lost in the cut' in rebound));
  assert.match(section?.textContent ?? '', /In a cut .*lost/s);
  assert.match(section?.textContent ?? '', /PATH_CHALLENGE/);
});

test('explains only events that happened, and is omitted without any', async () => {
  assert.doesNotMatch((await sectionOf([CUT]))?.textContent ?? '', /PATH_CHALLENGE/);
  assert.doesNotMatch((await sectionOf([REBOUND]))?.textContent ?? '', /In a cut/);
  assert.equal(await sectionOf([DELAYED]), null);
});
