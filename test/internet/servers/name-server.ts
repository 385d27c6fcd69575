import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  type Question,
} from 'dns-packet';
import type { DnsQuestion, ServedName } from './listener.ts';

const PORT = 53;
/** Short, so that a browser that stays open queries again. */
const TTL_S = 5;
const NXDOMAIN = 3;
const SERVFAIL = 2;

/** The library's name of the unknown type 65 (RFC 9460). */
const HTTPS = 'UNKNOWN_65';

/**
 * Answers A, AAAA and HTTPS over UDP. An undescribed name does not exist.
 * @returns all its queries, in order, as they arrive
 */
export async function startNameServer(
  address: string,
  names: readonly ServedName[],
): Promise<readonly DnsQuestion[]> {
  const byName = new Map(names.map((each) => [each.name, each]));
  const questions: DnsQuestion[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (bytes, { port, address: to }) => {
    const query = decode(bytes);
    const [question] = query.questions ?? [];
    if (!question) return;
    const name = question.name.toLowerCase();
    const type = (question.type as string) === HTTPS ? 'HTTPS' : question.type;
    questions.push({ name, type });
    const known = byName.get(name);
    if (known?.answer === 'silence') return;
    socket.send(encode(answerTo(query, question, known)), port, to);
  });
  socket.bind(PORT, address);
  await once(socket, 'listening');
  return questions;
}

function answerTo(query: Packet, question: Question, known: ServedName | undefined): Packet {
  const code = !known || known.answer === 'nxdomain' ? NXDOMAIN : 0;
  return {
    type: 'response',
    id: query.id ?? 0,
    // The code is in the low bits of the flags.
    flags: AUTHORITATIVE_ANSWER | (known?.answer === 'servfail' ? SERVFAIL : code),
    questions: [question],
    answers: known?.answer === 'addresses' ? recordsOf(known, question) : [],
  };
}

function recordsOf({ addresses, httpsRecord }: ServedName, { name, type }: Question): Answer[] {
  const common = { name, ttl: TTL_S, class: 'IN' } as const;
  if (type === 'A' || type === 'AAAA') {
    return addresses
      .filter((address) => address.includes(':') === (type === 'AAAA'))
      .map((data) => ({ ...common, type, data }));
  }
  if ((type as string) !== HTTPS || httpsRecord === null) return [];
  return [{ ...common, type, data: serviceBinding(httpsRecord) } as Answer];
}

const SERVICE_PRIORITY = [0, 1];
/** The name itself. */
const TARGET_NAME = [0];
const ALPN_KEY = [0, 1];

/** The data of an HTTPS record that names protocols (RFC 9460, sections 2.2 and 7.1). */
function serviceBinding(protocols: readonly string[]): Buffer {
  const ids = Buffer.concat(
    protocols.map((protocol) =>
      Buffer.concat([Buffer.from([protocol.length]), Buffer.from(protocol)]),
    ),
  );
  const length = Buffer.alloc(2);
  length.writeUInt16BE(ids.length);
  return Buffer.concat([
    Buffer.from([...SERVICE_PRIORITY, ...TARGET_NAME, ...ALPN_KEY]),
    length,
    ids,
  ]);
}
