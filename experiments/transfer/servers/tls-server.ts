import * as tls from 'node:tls';
import { KEY_EXCHANGE_GROUPS } from '../../../ground/records/key-exchange.ts';
import { MESSAGE_ALPN } from '../../../ground/records/protocol.ts';
import { serve } from '../../../servers/bun/contract.ts';
import { socketsProgram } from './sockets-program.ts';
import { plainTls } from './stack.ts';

await serve(plainTls, ({ keyExchange }) =>
  socketsProgram('node:tls', ({ certificate, key }, respond) =>
    tls.createServer(
      {
        key,
        cert: certificate,
        minVersion: 'TLSv1.3',
        ecdhCurve: KEY_EXCHANGE_GROUPS[keyExchange],
        ALPNProtocols: [MESSAGE_ALPN],
      },
      respond,
    ),
  ),
);
