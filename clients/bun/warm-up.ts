import { once } from 'node:events';
import * as http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import * as quic from 'node:quic';
import { RESUMPTIONS } from '../../records/connection-attempt.ts';
import { VIAS } from '../../records/via.ts';
import type { AskedConnection, ConnectionMade } from '../connector.ts';
import { passingCertificate } from './passing-certificate.ts';

const TIMES = 3;

/**
 * Has connections of every way made to servers of this program's own, so that the first one that counts does not pay for code that is
 * loaded and compiled with it.
 */
export async function warmUp(
  connect: (asked: AskedConnection) => Promise<ConnectionMade>,
): Promise<void> {
  const { privateKey, certificate } = passingCertificate();
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const overTcp = http2.createSecureServer({ key, cert: certificate, allowHTTP1: true });
  overTcp.on('request', (_, response) => response.end());
  overTcp.on('error', () => {});
  overTcp.listen(0, '127.0.0.1');
  await once(overTcp, 'listening');
  const overQuic = await quic.listen(answerAll, {
    alpn: ['h3'],
    sni: { '*': { keys: [privateKey], certs: [Buffer.from(certificate)] } },
    endpoint: { address: '127.0.0.1:0' },
    cc: 'cubic',
  });
  const ports = {
    quic: overQuic.address.port,
    tcp: (overTcp.address() as AddressInfo).port,
  };
  for (let time = 0; time < TIMES; time++) {
    for (const via of VIAS) {
      for (const resumption of RESUMPTIONS) {
        await connect({
          via,
          host: 'localhost',
          authority: 'localhost',
          address: `127.0.0.1:${via === 'quic' ? ports.quic : ports.tcp}`,
          resumption,
          awaitsTicket: resumption === 'none' && via !== 'tcp',
          request: via === 'tcp' ? null : { path: '/' },
          localPort: null,
          trust: null,
          timeoutMs: 1000,
        });
      }
    }
  }
  await overQuic.close();
  overTcp.close();
}

function answerAll(session: quic.QuicSession): void {
  session.closed.catch(() => {});
  session.onstream = (stream) => {
    stream.closed.catch(() => {});
    stream.onheaders = () => stream.sendHeaders({ ':status': '200' }, { terminal: true });
  };
}
