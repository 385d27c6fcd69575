import type { AskedBody, BodyGot } from '../../clients/getter.ts';
import type { Via } from '../../ground/records/via.ts';
import { WAYS } from '../../ground/records/via.ts';
import { EXIT } from '../../ground/system/exit-status.ts';
import { printable } from '../../ground/system/printed.mjs';
import { shellWord } from '../../ground/system/shell-word.ts';
import { countText, millisecondsText, rateText } from '../../kit/text/number.ts';

/** A resource that is asked for, wherever that will be. */
export interface Asked extends Omit<AskedBody, 'via' | 'address'> {
  url: string;
  /** Whether the server is nothing of this project. */
  isLive: boolean;
  /** The ways to ask by, the usual one first. */
  vias: readonly Via[];
}

/** What became of a resource that was asked for. */
export interface Got {
  asked: Asked;
  via: Via;
  /** `ip:port` that was asked last. */
  address: string;
  /** How long the name was looked up; null: it was not. */
  lookupMs: number | null;
  got: BodyGot;
}

type Row = [what: string, found: string];

/** The exit status that tells whether all of the answer came, and is no error. */
export function statusOf(result: Got): number {
  const { error, facts } = result.got;
  if (error?.layer === 'client') return EXIT.machine;
  const isFine = problemOf(result) === null && (facts.status ?? 0) < 400;
  return isFine ? EXIT.ok : EXIT.server;
}

/** What was asked, what came and how long it took, as lines for a person; and why there is no more, if there is not. */
export function toldLines(result: Got): string[] {
  const { asked, via, address, got } = result;
  const problem = problemOf(result);
  const rows = [...answerRows(got), ...connectionRows(got, via), ...timeRows(result)];
  const widest = Math.max(0, ...rows.map(([what]) => what.length));
  const fields = Object.entries(asked.fields).map(([name, value]) => `${name}: ${value}`);
  return [
    `GET ${asked.url} by ${asked.alpn} from ${address}, with ${fields.join(', ')}`,
    ...rows.map(([what, found]) => `  ${what.padEnd(widest)}  ${found}`),
    ...(problem === null ? [] : [problem]),
  ].map(printable);
}

/** Why the answer is not whole; null: it is. */
function problemOf({ asked, got }: Got): string | null {
  const { error, facts, headers, receivedBytes } = got;
  const length = fieldOf(headers, 'content-length');
  const ofBytes = length === undefined ? '' : ` of ${countText(Number(length))}`;
  if (error === null) {
    if (length === undefined || facts.status === 304 || receivedBytes >= Number(length))
      return null;
    return `The body is not whole: ${countText(receivedBytes)}${ofBytes} bytes came.`;
  }
  if (facts.status !== null) {
    return `${error.reason} The body is not whole: ${countText(receivedBytes)}${ofBytes} bytes came.`;
  }
  return `${error.reason}${remedyOf(got, asked)}`;
}

function remedyOf({ error, facts }: BodyGot, { isLive, alpn, trust, url }: Asked): string {
  if (!isLive) return '';
  // Whoever agreed on all of that was found to be somebody else then.
  if (error?.layer === 'tls' && facts.tlsVersion !== null && error.code !== 'alpn') {
    return trust === null
      ? ''
      : ' --trust FILE trusts another authority, --trust none trusts anybody.';
  }
  if (alpn !== 'h3') return '';
  return ` Does it speak HTTP/3? npm run doctor -- ${shellWord(url)} tells more; --via h2 asks by TCP.`;
}

function answerRows({ facts, headers, receivedBytes }: BodyGot): Row[] {
  if (facts.status === null) return [];
  const told = ['location', 'content-type', 'content-encoding'].flatMap((name): Row[] => {
    const value = fieldOf(headers, name);
    return value === undefined ? [] : [[name, value]];
  });
  return [['status', `${facts.status}`], ...told, ['body', `${countText(receivedBytes)} bytes`]];
}

function connectionRows({ facts }: BodyGot, via: Via): Row[] {
  const { tlsVersion, cipher, group } = facts;
  if (tlsVersion === null) return [];
  const transport = via === 'quic' ? WAYS.quic.label : WAYS.tcp.label;
  const parts = [transport, tlsVersion, cipher, group].filter((each) => each !== null);
  return [['connection', `${parts.join(', ')}; a full handshake`]];
}

/** The look-up of the name, which was before; all others are since the connection was asked for. */
function timeRows({ lookupMs, got }: Got): Row[] {
  const { tcpMs, maySendMs, firstByteMs, totalMs, receivedBytes, error } = got;
  const instants: [what: string, ms: number | null][] = [
    ['TCP connected', tcpMs],
    // A server that is refused is sent none.
    ['request may leave', error?.layer === 'tls' ? null : maySendMs],
    ['first byte', firstByteMs],
    ['whole body', totalMs],
  ];
  const since = instants.flatMap(([what, ms]): Row[] =>
    ms === null ? [] : [[what, `${millisecondsText(ms)} ms`]],
  );
  const before: Row[] =
    lookupMs === null
      ? []
      : [['name looked up', `in ${millisecondsText(lookupMs)} ms, before all that follows`]];
  const rows = [...before, ...since];
  if (totalMs === null || maySendMs === null || receivedBytes === 0) return rows;
  // Bits per ms are kbit/s.
  const kbps = (receivedBytes * 8) / (totalMs - maySendMs);
  return [...rows, ['goodput', `${rateText(kbps)} since the request`]];
}

function fieldOf(headers: BodyGot['headers'], name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1];
}
