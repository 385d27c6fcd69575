import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHttp3Log } from '../../http3-reasons.ts';

/** Lines of Firefox 153 about a session. */
function sessionOf(host: string, id: string, ...lines: string[]): string[] {
  const own = (text: string) => `[Parent 7: Socket Thread]: V/nsHttp Http3Session::${text}`;
  return [
    own(`Init origin=${host}, alpn=h3, selfAddr=::, peerAddr=::1 [this=${id}]`),
    own(`ProcessInput writer=7f3318dfd600 [this=${id} state=0]`),
    ...lines.map((line) =>
      line.startsWith('neqo')
        ? `[Parent 7: Socket Thread]: I/neqo_transport::* [neqo_transport::connection] ${line.slice(5)}`
        : own(line),
    ),
  ];
}

async function read(...lines: string[]) {
  const { quicEnds, hasQuic } = await readHttp3Log(lines, 'a.test', async (code) =>
    code.toString(16),
  );
  const ends = quicEnds.map(({ error, details, fromServer }) =>
    [fromServer ? 'server' : 'own', error, details].join(' ').trim(),
  );
  return { ends, hasQuic };
}

test('names the first reason for which a QUIC session ended', async () => {
  const closed = 'ProcessEvents - ConnectionClosed error=804b0014';
  const reasons: [line: string, end: string][] = [
    [
      'neqo [Client 14] ConnectionClose received. Error code: Transport(376) frame type 0 reason no application protocol',
      'server Transport(376) no application protocol',
    ],
    ['neqo [Client 2e] Version negotiation: failed with [438975050]', 'own VersionNegotiation'],
    [
      'Authenticated [this=7f, hasThirdPartyRoots=1, servCertHashesSucceeded=0]',
      'own network.http.http3.disable_when_third_party_roots_found',
    ],
    ['Authenticated psm-error=0x805a1ff3 [this=7f].', 'own 805a1ff3'],
    ['ProcessEvents - ConnectionClosing', 'own 804b0014'],
  ];
  for (const [line, end] of reasons) {
    const lines = sessionOf('a.test', '7f', line, closed);
    assert.deepEqual(await read(...lines), { ends: [end], hasQuic: false });
  }
});

test('reports a session that did not end, and ignores those of other hosts', async () => {
  const refusal = 'neqo [Client 1] ConnectionClose received. Error code: X frame type 0 reason no';
  const lines = [...sessionOf('a.test', '7f'), ...sessionOf('b.test', '8f', refusal)];
  assert.deepEqual(await read(...lines), { ends: [], hasQuic: true });
  // Firefox uses addresses of ended sessions again.
  const again = sessionOf('b.test', '7f', refusal);
  assert.deepEqual(await read(...lines, ...again), { ends: [], hasQuic: false });
});

test('takes no text of a server for a line of Firefox', async () => {
  const field = '  server: Http3Session::Authenticated [this=7f, hasThirdPartyRoots=1]';
  const lines = [...sessionOf('a.test', '7f'), `[Parent 7: Main Thread]: I/nsHttp ${field}`];
  assert.deepEqual(await read(...lines, field, 'cut'), { ends: [], hasQuic: true });
});
