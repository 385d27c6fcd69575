import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { NetLogConnection } from '../../net-log/connection.ts';
import { connectionsOf } from '../../net-log/connections.ts';
import { EARLY_DATA } from '../../net-log/handshake-message.ts';
import { assertEach } from '../assert-each.ts';
import { clientHello, encryptedExtensions } from './made-messages.ts';
import { recordedLines, SECOND_LOAD_MS } from './recorded.ts';

const MAIN = 'www.net-log.test';
const OTHER = 'other.elsewhere.test';

/** Every connection in a few words. */
function inWords(connections: NetLogConnection[]): string[] {
  return connections.map(({ host, protocol, handshake, earlyData }) =>
    [host, protocol, handshake, earlyData === 'none' ? [] : `early data ${earlyData}`]
      .flat()
      .join(' '),
  );
}

async function secondLoad(name: keyof typeof SECOND_LOAD_MS) {
  return connectionsOf(recordedLines(name), SECOND_LOAD_MS[name]);
}

describe('the connections of a first load have full handshakes:', () => {
  for (const [protocol, main, other] of [
    ['h3', '127.0.3.1:43920', '127.0.3.2:47084'],
    ['h2', '127.0.3.1:35139', '127.0.3.2:45673'],
  ] as const) {
    test(`by ${protocol}, with address, TLS version and cipher`, async () => {
      const { opened, reused, whole } = await connectionsOf(recordedLines(`${protocol}-kept`), 0);
      const common = {
        protocol,
        tlsVersion: 'TLS 1.3',
        cipher: 'AES_128_GCM',
        handshake: 'full',
        earlyData: 'none',
      };
      assert.deepEqual(opened, [
        { host: MAIN, address: main, ...common },
        { host: OTHER, address: other, ...common },
      ]);
      assert.deepEqual(reused, []);
      assert.equal(whole, true);
    });
  }

  test('by http/1.1 on the first connection of each host, whose tickets the next ones use', async () => {
    const { opened } = await connectionsOf(recordedLines('h1-kept'), 0);
    assert.deepEqual(inWords(opened), [
      `${MAIN} http/1.1 full`,
      `${MAIN} http/1.1 resumed`,
      `${MAIN} http/1.1 resumed`,
      `${MAIN} http/1.1 full`,
      `${MAIN} http/1.1 full`,
      `${OTHER} http/1.1 full`,
    ]);
    assert.ok(opened.every(({ cipher }) => cipher === 'AES_256_GCM'));
  });
});

test('orders connections by their handshakes, not by their first packets', async () => {
  // The first connection's TCP handshake takes longer, so that the second one finishes first and
  // has a ticket for it.
  const late = '{"phase":1,"source":{"id":37,"type":10},"time":"1439999"';
  const lines = recordedLines('h1-kept');
  const types = /"SSL_CONNECT":(\d+)/.exec(lines[0] ?? '');
  const changed = lines.map((line) =>
    line.startsWith('{"phase":1,"source":{"id":37,') && line.endsWith(`"type":${types?.[1]}},`)
      ? `${late},"type":${types?.[1]}},`
      : line,
  );
  const { opened } = await connectionsOf(lines, 0);
  const inOtherOrder = await connectionsOf(changed, 0);
  assert.deepEqual(inOtherOrder.opened, [...opened.slice(1), opened[0]]);
});

describe('the connections of a second load, when the first ones were closed:', () => {
  test('are resumed by h3, with requests sent as early data', async () => {
    const { opened, reused } = await secondLoad('h3-full-then-early-data');
    assert.deepEqual(inWords(opened), [
      `${MAIN} h3 resumed early data accepted`,
      `${OTHER} h3 resumed early data accepted`,
    ]);
    assert.deepEqual(reused, []);
  });

  test('are full by h3 to a server that cannot read the tickets, which rejects early data', async () => {
    const { opened } = await secondLoad('h3-full-then-rejected');
    assert.deepEqual(inWords(opened), [
      `${MAIN} h3 full early data rejected`,
      `${OTHER} h3 full early data rejected`,
    ]);
  });

  test('are resumed by h2, without early data', async () => {
    const { opened, reused } = await secondLoad('h2-full-then-resumed');
    assert.deepEqual(inWords(opened), [`${MAIN} h2 resumed`, `${OTHER} h2 resumed`]);
    assert.deepEqual(reused, []);
  });

  test('are resumed by http/1.1, without early data', async () => {
    const { opened, reused } = await secondLoad('h1-full-then-resumed');
    assert.deepEqual(inWords(opened), [
      ...Array(3).fill(`${MAIN} http/1.1 resumed`),
      `${OTHER} http/1.1 resumed`,
    ]);
    assert.deepEqual(reused, []);
  });

  test('reads both loads from the start of the log', async () => {
    const { opened } = await connectionsOf(recordedLines('h2-full-then-resumed'), 0);
    assertEach(opened, ({ handshake }) => handshake, ['full', 'full', 'resumed', 'resumed']);
  });
});

for (const [protocol, connections] of [
  ['h3', 2],
  ['h2', 2],
  ['h1', 6],
] as const) {
  test(`marks connections by ${protocol} kept from the load before as reused, not opened`, async () => {
    const { opened, reused } = await secondLoad(`${protocol}-kept`);
    assert.deepEqual(opened, []);
    assert.equal(reused.length, connections);
  });
}

test('marks an idle connection from before as neither opened nor reused', async () => {
  const afterEverything = 1e9;
  const { opened, reused } = await connectionsOf(recordedLines('h3-kept'), afterEverything);
  assert.deepEqual([opened, reused], [[], []]);
});

for (const protocol of ['h3', 'h2'] as const) {
  test(`reads only the address of a failed connection by ${protocol}`, async () => {
    const { opened } = await connectionsOf(recordedLines(`${protocol}-refused`), 0);
    assert.deepEqual(opened, [
      {
        host: MAIN,
        address: '127.0.3.1:9',
        protocol: null,
        tlsVersion: null,
        cipher: null,
        handshake: null,
        earlyData: 'none',
      },
    ]);
  });
}

// No server of this project accepts early data over TCP, and Chromium does not offer it: such
// handshakes are composed here.
for (const [taken, earlyData] of [
  [[EARLY_DATA], 'accepted'],
  [[], 'rejected'],
] as const) {
  test(`reads early data over TCP as ${earlyData}, as the server reports`, async () => {
    const hello = clientHello([EARLY_DATA]).toString('base64');
    const answer = encryptedExtensions([...taken]).toString('base64');
    const lines = recordedLines('h2-full-then-resumed').map((line) =>
      line
        .replace(/"bytes":"AQ[^"]+","type":1/, `"bytes":"${hello}","type":1`)
        .replace(/"bytes":"CA[^"]+","type":8/, `"bytes":"${answer}","type":8`),
    );
    const { opened } = await connectionsOf(lines, 0);
    assert.equal(opened[0]?.earlyData, earlyData);
  });
}

describe('a damaged log', () => {
  const lines = recordedLines('h2-full-then-resumed');
  const eventsEnd = lines.findIndex((line) => line.endsWith('],'));

  test('without its end is read as far as it goes, and is incomplete', async () => {
    const half = lines.slice(0, eventsEnd / 2);
    half.push(lines[half.length]?.slice(0, 40) ?? '');
    const { opened, whole } = await connectionsOf(half, 0);
    assert.deepEqual(inWords(opened), [`${MAIN} h2 full`, `${OTHER} h2 full`]);
    assert.equal(whole, false);
  });

  test('with every event but without the end of their list is incomplete', async () => {
    const { opened, whole } = await connectionsOf(lines.slice(0, eventsEnd), 0);
    assert.equal(opened.length, 4);
    assert.equal(whole, false);
  });

  test('with unreadable lines between readable ones is incomplete', async () => {
    for (const rubbish of ['{"phase":', 'null', '{"type":1,"source":7}', '\0\0']) {
      const { opened, whole } = await connectionsOf(lines.toSpliced(20, 0, rubbish), 0);
      assert.equal(opened.length, 4, rubbish);
      assert.equal(whole, false, rubbish);
    }
  });

  test('with events and sources without constants is complete', async () => {
    const unknown = '{"phase":0,"source":{"id":9,"type":999},"time":"5","type":9999},';
    const { opened, whole } = await connectionsOf(lines.toSpliced(2, 0, unknown), 0);
    assert.equal(opened.length, 4);
    assert.equal(whole, true);
  });

  test('without events has no connections', async () => {
    const empty = [lines[0] ?? '', '"events": [', '],', '"polledData": [{}]', '}'];
    assert.deepEqual(await connectionsOf(empty, 0), { opened: [], reused: [], whole: true });
  });

  test('without any valid content is an error', async () => {
    for (const other of [[], [''], ['{"log":{"entries":[]}}'], lines.slice(1)]) {
      await assert.rejects(connectionsOf(other, 0), /expected a NetLog/);
    }
  });
});

test("uses the log's own constants for names, not fixed numbers", async () => {
  const renumbered = recordedLines('h3-full-then-early-data').map((line, index) =>
    index === 0
      ? line.replace(/("QUIC[A-Z_]+"):(\d+)/g, (_, name, number) => `${name}:${number}000`)
      : line.replace(/"type":(\d{3})\}/, '"type":$1000}').replace(/"type":13\}/g, '"type":13000}'),
  );
  const { opened } = await connectionsOf(renumbered, SECOND_LOAD_MS['h3-full-then-early-data']);
  assert.deepEqual(inWords(opened), [
    `${MAIN} h3 resumed early data accepted`,
    `${OTHER} h3 resumed early data accepted`,
  ]);
});
