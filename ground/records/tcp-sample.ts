import { LINE_BYTES, textLines } from '../system/bounded-lines.ts';
import { gunzipped } from '../system/bounded-unpacking.ts';
import { openPlain } from '../system/plain-file.ts';
import { DamagedRunError } from './damaged-run.ts';
import * as s from './schema.ts';

/** One line of a file of samples: a TCP connection at the sending end (struct tcp_info of Linux). */
export const tcpSampleSchema = s.object(
  {
    s: s.count('Time by the clock of captures: whole seconds since 1970,'),
    ns: s.count('and nanoseconds.'),
    client: s.name('ip:port of the client.'),
    server: s.name('ip:port of the server.'),
    state: s.text('ESTABLISHED, FIN_WAIT1 ...'),
    mssBytes: s.count('Payload of a full segment that the server sends.'),
    cwndSegments: s.count('The congestion window.'),
    cwndBytes: s.count('The same in full segments.'),
    ssthreshBytes: s.orNull(
      s.count('End of slow start; null: never set, so slow start continues.'),
    ),
    inFlightBytes: s.count('Sent, neither acknowledged nor declared lost, in full segments.'),
    unackedSegments: s.count('Sent and not acknowledged in order.'),
    lostSegments: s.count('Unacknowledged segments that are currently declared lost.'),
    retransmittedSegments: s.count('Retransmitted since the connection began.'),
    retransmittedBytes: s.count('Payload of retransmitted segments.'),
    sentBytes: s.count('Payload since the connection began, including retransmissions.'),
    ackedBytes: s.count('Acknowledged payload.'),
    notSentBytes: s.count("In the kernel's send buffer, not sent yet."),
    offeredBytes: s.count("The client's advertised window."),
    rttMs: s.number('The smoothed round-trip time.'),
    rttVarMs: s.number('Its mean deviation.'),
    minRttMs: s.orNull(s.number('Minimum; null: not measured yet.')),
    deliveryRateKbps: s.number('The latest rate at which payload arrived.'),
    isAppLimited: s.flag(
      'Whether that rate was limited because the server had no more data to send.',
    ),
    busyMs: s.number('Time with data to send or unacknowledged.'),
    rwndLimitedMs: s.number("Part of busyMs limited by the client's window."),
    sndbufLimitedMs: s.number('Part of busyMs limited by the send buffer.'),
  },
  'State of a TCP connection of an attempt.',
);

export type TcpSample = s.Static<typeof tcpSampleSchema>;

/** Uncompressed limit: a connection sampled every ms for ten minutes. */
const MOST_BYTES = 400_000_000;

/**
 * Yields the samples of an attempt by time.
 * @throws DamagedRunError when the file cannot be read as samples
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
