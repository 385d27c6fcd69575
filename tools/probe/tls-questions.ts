import type { TLSSocket } from 'node:tls';
import { Failure } from '../../clients/connection-failure.ts';
import type { TargetServer } from '../../clients/quic-connector.ts';
import { authorityText } from '../../ground/options/hosts.ts';
import type { ProbeRecord, Question } from '../../ground/records/probe.ts';
import { answerOver } from './http-answer.ts';
import type { Questioner } from './questioner.ts';
import { chainBytes, groupOf, type Offer, withHandshake } from './tls-handshake.ts';

type TlsParameters = Pick<
  ProbeRecord,
  | 'tlsVersion'
  | 'tlsMs'
  | 'cipher'
  | 'group'
  | 'certificate'
  | 'sessionTickets'
  | 'alpnTogether'
  | 'status'
  | 'altSvc'
>;

type TlsAnswers = TlsParameters &
  Pick<ProbeRecord, 'certificateChainBytes' | keyof typeof FURTHER_OFFERS>;

const BOTH = ['h2', 'http/1.1'];
const MODERN = ['TLSv1.2', 'TLSv1.3'] as const;
export const NO_TLS_PARAMETERS: TlsParameters = {
  tlsVersion: null,
  tlsMs: null,
  cipher: null,
  group: null,
  certificate: null,
  sessionTickets: null,
  alpnTogether: null,
  status: null,
  altSvc: null,
};

/** One connection each. */
const FURTHER_OFFERS = {
  tls13: ['tls1.3', { versions: ['TLSv1.3', 'TLSv1.3'], protocols: BOTH }],
  tls12: ['tls1.2', { versions: ['TLSv1.2', 'TLSv1.2'], protocols: BOTH }],
  tls11: ['tls1.1', { versions: ['TLSv1.1', 'TLSv1.1'], protocols: BOTH }],
  tls10: ['tls1.0', { versions: ['TLSv1', 'TLSv1'], protocols: BOTH }],
  alpnH2: ['alpn h2', { versions: MODERN, protocols: ['h2'] }],
  alpnHttp11: ['alpn http/1.1', { versions: MODERN, protocols: ['http/1.1'] }],
  postQuantum: [
    'post-quantum',
    { versions: ['TLSv1.3', 'TLSv1.3'], protocols: BOTH, group: 'X25519MLKEM768' },
  ],
} satisfies Record<string, [Question, Offer]>;

/**
 * Probes TLS by one connection after the other: the first offers what current clients offer, the rest one feature each.
 * If the first times out, the rest are skipped.
 * @param authorities to trust, PEM; null: certificates are not checked
 */
export async function probeTls(
  server: TargetServer,
  authorities: readonly string[] | null,
  questioner: Questioner,
): Promise<TlsAnswers> {
  const agreed = await questioner.answer('tls', () => agreement(server, authorities, questioner));
  const silent = questioner.failures.some(
    ({ question, code }) => question === 'tls' && code === 'timeout',
  );
  let certificateChainBytes: number | null = null;
  const further: Record<string, boolean | null> = {};
  for (const [field, [question, offer]] of Object.entries(FURTHER_OFFERS)) {
    if (silent) {
      further[field] = questioner.skip(question, 'the first TLS connection timed out');
      continue;
    }
    further[field] = await questioner.succeeds(question, () =>
      withHandshake(server, offer, (socket) => {
        certificateChainBytes ??= chainBytes(socket);
        if (offer.protocols.length === 1) requirePicked(socket, offer.protocols);
      }),
    );
  }
  return {
    ...(agreed ?? NO_TLS_PARAMETERS),
    ...(further as Record<keyof typeof FURTHER_OFFERS, boolean | null>),
    certificateChainBytes,
  };
}

function requirePicked({ alpnProtocol }: TLSSocket, [protocol = '']: readonly string[]): void {
  if (alpnProtocol === protocol) return;
  throw new Failure('tls', 'not-picked', `the server continued without selecting ${protocol}`);
}

const VERSIONS: Record<string, string> = { 'TLSv1.3': 'TLS 1.3', 'TLSv1.2': 'TLS 1.2' };

function agreement(
  server: TargetServer,
  authorities: readonly string[] | null,
  questioner: Questioner,
): Promise<TlsParameters> {
  const offer = { versions: MODERN, protocols: BOTH, ...(authorities && { authorities }) };
  return withHandshake(server, offer, async (socket, tlsMs) => {
    let tickets = 0;
    socket.on('session', () => tickets++);
    const version = VERSIONS[socket.getProtocol() ?? ''] ?? null;
    const parameters = {
      tlsVersion: version,
      tlsMs,
      cipher: socket.getCipher().standardName,
      group: groupOf(socket),
      certificate: authorities && verdictOn(socket),
      alpnTogether: socket.alpnProtocol || '',
    };
    // In TLS 1.2 the ticket is part of the handshake.
    const ticketOf12 = socket.getTLSTicket() === undefined ? 0 : 1;
    const answer = await questioner.answer('http', () =>
      answerOver(
        socket,
        { authority: authorityText(server), path: '/' },
        server.timeoutMs,
        server.signal,
      ),
    );
    return {
      ...parameters,
      sessionTickets: version === 'TLS 1.3' ? tickets : ticketOf12,
      status: answer?.status ?? null,
      altSvc: answer?.altSvc ?? null,
    };
  });
}

function verdictOn({ authorized, authorizationError }: TLSSocket): string {
  if (authorized) return 'valid';
  const { code = 'unknown' } = (authorizationError ?? {}) as { code?: string };
  return typeof authorizationError === 'string' ? authorizationError : code;
}
