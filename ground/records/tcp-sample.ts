import { LINE_BYTES, textLines } from '../system/bounded-lines.ts';
import { gunzipped } from '../system/bounded-unpacking.ts';
import { openPlain } from '../system/plain-file.ts';
import { DamagedRunError } from './damaged-run.ts';
import { count, flag, name, number, object, orNull, type Static, text } from './schema.ts';

/** One line of a file of samples: a TCP connection as the kernel at the end that sends knew it (struct tcp_info of Linux). */
export const tcpSampleSchema = object(
  {
    s: count('When it was asked, by the clock of captures: whole seconds since 1970,'),
    ns: count('and nanoseconds.'),
    client: name('ip:port of the client.'),
    server: name('ip:port of the server.'),
    state: text('ESTABLISHED, FIN_WAIT1 ...'),
    mssBytes: count('Payload of a full segment that the server sends.'),
    cwndSegments: count('The congestion window.'),
    cwndBytes: count('The same in full segments.'),
    ssthreshBytes: orNull(
      count('Where slow start ends; null: it was never set, so that slow start goes on.'),
    ),
    inFlightBytes: count('Sent and neither acknowledged nor taken for lost, in full segments.'),
    unackedSegments: count('Sent and not acknowledged in order.'),
    lostSegments: count('Of these those that are taken for lost now.'),
    retransmittedSegments: count('Sent again since the connection began.'),
    retransmittedBytes: count('The same in payload.'),
    sentBytes: count('Payload since the connection began, with what was sent again.'),
    ackedBytes: count('Payload that arrived for certain.'),
    notSentBytes: count('Handed to the kernel by the server and not sent yet.'),
    offeredBytes: count('Window that the client offers.'),
    rttMs: number('The smoothed round-trip time.'),
    rttVarMs: number('Its mean deviation.'),
    minRttMs: orNull(number('The least; null: not measured yet.')),
    deliveryRateKbps: number('The latest rate at which payload arrived.'),
    isAppLimited: flag('That rate is one of which the server had no more to send.'),
    busyMs: number('How long something was to be sent or acknowledged.'),
    rwndLimitedMs: number('How long of it the window that the client offers held it up.'),
    sndbufLimitedMs: number('How long of it the send buffer did.'),
  },
  'A TCP connection of an attempt at one moment.',
);

export type TcpSample = Static<typeof tcpSampleSchema>;

/** Of all samples of an attempt, unpacked: a connection that is sampled each ms for ten minutes has this. */
const MOST_BYTES = 400_000_000;

/**
 * Yields the samples of an attempt in the order of their times.
 * @throws DamagedRunError when the file cannot be read as such
 */
export async function* readTcpSamples(
  file: string,
  { maxBytes = MOST_BYTES, maxLineBytes = LINE_BYTES.foreign } = {},
): AsyncGenerator<TcpSample> {
  try {
    const packed = (await openPlain(file)).createReadStream();
    for await (const line of textLines(gunzipped(packed, maxBytes), { maxBytes: maxLineBytes }))
      yield JSON.parse(line);
  } catch (error) {
    throw new DamagedRunError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
