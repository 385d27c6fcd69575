import { bytesText, counted } from '../../kit/text/number.ts';
import type { Said } from './packet-event.ts';
import { type FlowStep, isSmall } from './sequence.ts';

/** What a step is, as a person would tell it: `Initial: ServerHello`, `GET /`, `response on stream 4: 9 packets, 8.7 kB`. */
export function stepText(step: FlowStep): string {
  const { fate } = step;
  const prefix = fate === 'lost' ? 'lost: ' : fate === 'again' ? 'again: ' : '';
  return `${prefix}${whatText(step)}`;
}

function whatText(step: FlowStep): string {
  const { kind, packets, says } = step;
  const said = saidText(says);
  if (isSmall(kind)) {
    const acks = counted(packets, kind === 'control' ? 'small packet' : 'acknowledgement');
    return said === '' ? acks : packets === 1 ? said : `${acks}: ${said}`;
  }
  if (kind === 'data') return [dataText(step), said].filter((part) => part !== '').join('; ');
  const whole = said || `part of the ${kind}`;
  return packets > 1 ? `${whole} (${counted(packets, 'packet')})` : whole;
}

/** The same in the few words that a chart has room for; what belongs together is joined by no-break spaces. */
export function shortText(step: FlowStep): string {
  const { fate, kind, says, streams, packets, dataBytes } = step;
  const prefix = fate === 'arrived' ? '' : `${fate}: `;
  const own = streamsText(streams);
  const which = streams.length > 1 ? `, ${own}` : streams.length > 0 ? `, ${unbroken(own)}` : '';
  if (kind === 'data') {
    const size = unbroken(bytesText(dataBytes));
    const count = packets > 1 ? `${unbroken(counted(packets, 'packet'))}, ` : '';
    return `${prefix}${count}${size}${which}`;
  }
  if (kind === 'request' && says.length > 1) {
    const requests = says.filter(isRequest).length;
    if (requests > 1) return `${prefix}${unbroken(counted(requests, 'request'))}${which}`;
  }
  const main = says.filter(({ name }) => !MINOR.has(name));
  const said = saidText(main.length > 0 ? main : says, false);
  return `${prefix}${said || (isSmall(kind) ? 'ACK' : `part of the ${kind}`)}`;
}

function isRequest({ name, stream }: Said): boolean {
  return stream !== undefined || name.includes(' ');
}

function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

/** Messages that every handshake has beside those that tell how far it is. */
const MINOR: ReadonlySet<string> = new Set([
  'EncryptedExtensions',
  'CertificateVerify',
  'NewSessionTicket',
  'SETTINGS',
  'WINDOW_UPDATE',
  'NEW_CONNECTION_ID',
  'NEW_TOKEN',
]);

function dataText({ way, packets, dataBytes, streams }: FlowStep): string {
  const size = `${counted(packets, 'packet')}, ${bytesText(dataBytes)}`;
  if (streams.length > 1) return `${size}, ${streamsText(streams)}`;
  const what = way === 'toClient' ? 'response' : 'data';
  return `${what}${streams.length === 1 ? ` on ${streamsText(streams)}` : ''}: ${size}`;
}

const MOST_STREAMS = 4;

function streamsText(streams: readonly number[]): string {
  const shown = streams
    .toSorted((a, b) => a - b)
    .slice(0, MOST_STREAMS)
    .join(', ');
  const rest = streams.length - MOST_STREAMS;
  return `stream${streams.length === 1 ? '' : 's'} ${shown}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** What stands in one kind of QUIC packet shares its name; what is said again is not repeated. */
function saidText(says: readonly Said[], isCounted = true): string {
  const groups: { within: string | undefined; names: Map<string, number> }[] = [];
  for (const { name, stream, within } of says) {
    if (groups.at(-1)?.within !== within || groups.length === 0)
      groups.push({ within, names: new Map() });
    const names = groups.at(-1)?.names ?? new Map<string, number>();
    const text =
      stream === undefined || name.includes(' ') ? name : `${name} stream\u00a0${stream}`;
    names.set(text, (names.get(text) ?? 0) + 1);
  }
  return groups
    .map(({ within, names }) => {
      const text = [...names].map(([name, times]) =>
        isCounted && times > 1 ? `${name} ×${times}` : name,
      );
      return `${within === undefined ? '' : `${within}: `}${text.join(', ')}`;
    })
    .join('; ');
}
