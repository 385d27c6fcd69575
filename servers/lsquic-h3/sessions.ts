import { createPrivateKey } from 'node:crypto';
import * as quic from 'node:quic';
import { KEY_EXCHANGE_GROUPS } from '../../ground/records/key-exchange.ts';
import { sampleTransport } from '../../ground/records/quic-session-samples.ts';
import type { Answer, Program, TransportSettings } from '../bun/contract.ts';
import { collectEndedSessions } from './ended-sessions.ts';
import { watchInitialWindow } from './initial-window.ts';
import { ignoreUnreachablePorts } from './unreachable-ports.ts';

// Bun limits the rate of new sessions per address; a benchmark opens many from one address.
const NO_RATE_LIMIT = 1_000_000;

interface SessionHandling {
  alpn: string;
  /** Receives every new session, including the program's own. */
  handle(session: quic.QuicSession, answer: Answer): void;
  /** Whether `onkeylog` receives their secrets. */
  keylog?: boolean;
  onListening?(): void;
  /** Called after the program's own session: from then on sessions belong to clients. */
  onReady?(): void;
}

export function sessionsProgram(
  { keyExchange, congestionControl, sampleMs }: TransportSettings,
  { alpn, handle, keylog = false, onListening, onReady }: SessionHandling,
): Program {
  const groups = KEY_EXCHANGE_GROUPS[keyExchange];
  const windowWatch = watchInitialWindow({ alpn, groups });
  const collect = collectEndedSessions();
  const transport = sampleTransport('server', sampleMs);
  return {
    samples: transport.taken,
    async details(origins) {
      const [[host, address] = ['', '']] = Object.entries(origins);
      const window = await windowWatch.read(address, host);
      // Discards the samples of the program's own connection.
      transport.taken();
      onReady?.();
      return {
        program: `Bun ${Bun.version}`,
        language: 'TypeScript',
        library: 'node:quic (lsquic)',
        ...(window && {
          initialWindowPackets: String(window.packets),
          initialWindowBytes: String(window.bytes),
        }),
      };
    },
    async listen({ ip, port, certificate, key }, answer) {
      const identity = { keys: [createPrivateKey(key)], certs: [Buffer.from(certificate)] };
      const endpoint = await quic.listen(
        (session) => {
          transport.sees(session);
          handle(session, answer);
          collect(session);
          windowWatch.sees(session);
        },
        {
          alpn: [alpn],
          sni: { '*': identity },
          endpoint: {
            address: `${ip}:${port}`,
            maxConnectionsPerHost: 65535,
            sessionCreationRate: NO_RATE_LIMIT,
            sessionCreationBurst: NO_RATE_LIMIT,
          },
          groups,
          cc: congestionControl,
          keylog,
        },
      );
      onListening?.();
      ignoreUnreachablePorts(ip, endpoint.address.port);
      return endpoint.address.port;
    },
  };
}
