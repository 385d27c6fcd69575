import { LINE_BYTES, textLines } from '../system/bounded-lines.ts';
import { gunzipped } from '../system/bounded-unpacking.ts';
import { openPlain } from '../system/plain-file.ts';
import { DamagedRunError } from './damaged-run.ts';
import * as s from './schema.ts';

/** One line of a file of samples: a TCP connection as the kernel at the end that sends knew it (struct tcp_info of Linux). */
export const tcpSampleSchema = s.object(
  {
    s: s.count('When it was asked, by the clock of captures: whole seconds since 1970,'),
    ns: s.count('and nanoseconds.'),
    client: s.name('ip:port of the client.'),
    server: s.name('ip:port of the server.'),
    state: s.text('ESTABLISHED, FIN_WAIT1 ...'),
    mssBytes: s.count('Payload of a full segment that the server sends.'),
    cwndSegments: s.count('The congestion window.'),
    cwndBytes: s.count('The same in full segments.'),
    ssthreshBytes: s.orNull(
      s.count('Where slow start ends; null: it was never set, so that slow start goes on.'),
    ),
    inFlightBytes: s.count('Sent and neither acknowledged nor taken for lost, in full segments.'),
    unackedSegments: s.count('Sent and not acknowledged in order.'),
    lostSegments: s.count('Of these those that are taken for lost now.'),
    retransmittedSegments: s.count('Sent again since the connection began.'),
    retransmittedBytes: s.count('The same in payload.'),
    sentBytes: s.count('Payload since the connection began, with what was sent again.'),
    ackedBytes: s.count('Payload that arrived for certain.'),
    notSentBytes: s.count('Handed to the kernel by the server and not sent yet.'),
    offeredBytes: s.count('Window that the client offers.'),
    rttMs: s.number('The smoothed round-trip time.'),
    rttVarMs: s.number('Its mean deviation.'),
    minRttMs: s.orNull(s.number('The least; null: not measured yet.')),
    deliveryRateKbps: s.number('The latest rate at which payload arrived.'),
    isAppLimited: s.flag('That rate is one of which the server had no more to send.'),
    busyMs: s.number('How long something was to be sent or acknowledged.'),
    rwndLimitedMs: s.number('How long of it the window that the client offers held it up.'),
    sndbufLimitedMs: s.number('How long of it the send buffer did.'),
  },
  'A TCP connection of an attempt at one moment.',
);

export type TcpSample = s.Static<typeof tcpSampleSchema>;

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
