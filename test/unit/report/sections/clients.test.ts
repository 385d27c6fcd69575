import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientTransports } from '../../../../ground/records/client-transports.ts';
import { type Fixture, fixtureRun } from '../fixture-run.ts';
import { documentOf } from '../reported.ts';

const HELLO = { bytes: 1900, packets: 2, firstPacketBytes: 1250 };

/** Gives each load what its client does. */
function withClients(
  fixture: Fixture,
  clientOf: (arm: string, order: number) => ClientTransports,
): Fixture {
  for (const load of fixture.observations) {
    const client = clientOf(load.arm, load.order);
    load.connections = { opened: [], whole: true, client };
  }
  return fixture;
}

/** Row headings of the table of clients, mapped to their cells. */
async function rowsOf(fixture: Fixture): Promise<Map<string, string[]>> {
  const document = await documentOf(fixture);
  const table = [...document.querySelectorAll('table')].find((each) =>
    each.querySelector('caption')?.textContent?.startsWith('What each client offers'),
  );
  const rows = [...(table?.querySelectorAll('tr') ?? [])].map((row) =>
    [...row.children].map(({ textContent }) => textContent?.trim() ?? ''),
  );
  return new Map(rows.map(([heading = '', ...cells]) => [heading, cells]));
}

test('shows what browsers do next to each other, by transport and by stack', async () => {
  const fixture = withClients(fixtureRun({ browser: 'firefox' }), (arm, order) => {
    const isFirefox = arm.endsWith('~firefox');
    if (!arm.startsWith('lsquic')) {
      return { tcp: { largestWindowBytes: null, acknowledgements: 100, dataPackets: 210 } };
    }
    const transportParameters: Record<string, number> = isFirefox
      ? { initial_max_data: 25_165_824, max_ack_delay: 20, min_ack_delay: 1000 }
      : { initial_max_data: 15_728_640 };
    const hello = { ...HELLO, bytes: HELLO.bytes + (order % 2) };
    const sentPackets = isFirefox ? 10 : 20;
    return { quic: { hello, transportParameters, sentPackets, receivedPackets: 120 } };
  });
  const rows = await rowsOf(fixture);
  const cells = (heading: string) =>
    rows.get(heading)?.map((cell) => cell.replaceAll('\u00a0', ' '));
  assert.deepEqual(cells(''), ['Chromium', 'Firefox']);
  assert.deepEqual(cells('initial_max_data'), ['15,728,640 bytes', '25,165,824 bytes']);
  assert.deepEqual(cells('max_ack_delay'), ['25 ms', '20 ms']);
  assert.deepEqual(cells('min_ack_delay'), ['not offered', '1,000 µs']);
  assert.deepEqual(cells('Largest receive window'), ['unknown', 'unknown']);
  assert.deepEqual(cells('lsquic (h3)'), ['6', '12']);
  assert.deepEqual(cells('Bun (h2)'), ['2.1', '2.1']);
});

test('says why it is not known what the browser does in a run of an older format', async () => {
  const document = await documentOf(fixtureRun());
  const section = document.getElementById('fairness')?.closest('section');
  assert.match(section?.textContent ?? '', /Not known: .* Runs before format 6\.2 lack it\./);
});
