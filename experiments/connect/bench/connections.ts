import { clientFor } from '../../../clients/index.ts';
import type { ConnectDetails } from '../../../ground/records/connection-attempt.ts';
import type { Observation } from '../../../ground/records/observation.ts';
import { attemptsOf } from '../../../runner/bench/attempts.ts';
import { readOptions } from '../../../runner/bench/harness/options.ts';
import { fixed, printRow } from '../../../runner/bench/harness/table.ts';
import { median } from '../../../statistics/median.ts';
import { theilSen } from '../../../statistics/theil-sen.ts';
import { connect } from '../experiment.ts';

const SITE = 'www.example.org';
const STACKS = ['--sites', SITE, '--stacks', 'lsquic-h3,bun-h2'];
const INSTANTS = ['tcpMs', 'maySendMs', 'completeMs', 'confirmedMs', 'firstByteMs'] as const;

type Connection = Observation<ConnectDetails>;

const values = readOptions(
  'Prints slopes of connection times over the round-trip time, and the processor time of handshakes. --only: slopes or cpu.',
  {
    only: { type: 'string' },
    clients: { type: 'string', default: connect.clients?.join() ?? '' },
    rtt: { type: 'string', default: '0,20,50,100' },
    repetitions: { type: 'string', default: '12' },
    handshakes: { type: 'string', default: '1000' },
  },
);
const clients = values.clients.split(',');

if (values.only !== 'cpu') for (const client of clients) await printSlopes(client);
if (values.only !== 'slopes') for (const client of clients) await printProcessorTime(client);

/** Prints the slope of each metric over the round-trip time, in round trips, and its intercept. */
async function printSlopes(client: string): Promise<void> {
  console.log(
    `\n${client}: slope in round trips (intercept in ms) over round-trip times of ${values.rtt} ms`,
  );
  printRow(['handshake', 'n', ...INSTANTS]);
  const attempts = await attemptsOf<ConnectDetails>(connect, [
    ...STACKS,
    ...transportOptions(client),
    ...['--client', client, '--resumption', 'none,ticket,early-data', '--requests', '1'],
    ...['--rtt', values.rtt, '--repetitions', values.repetitions],
  ]);
  for (const [handshake, own] of Map.groupBy(attempts, handshakeText)) {
    const ok = own.filter(({ outcome }) => outcome === 'ok');
    if (ok.length === 0) {
      printRow([handshake, '0', own[0]?.outcome ?? '']);
      continue;
    }
    printRow([handshake, `${ok.length}`, ...INSTANTS.map((instant) => slopeText(ok, instant))]);
  }
}

function slopeText(attempts: readonly Connection[], instant: (typeof INSTANTS)[number]): string {
  const points = attempts.flatMap(({ metrics, network }): [number, number][] => {
    const ms = metrics[instant];
    return ms == null ? [] : [[network.rttMs, ms]];
  });
  const line = theilSen(points);
  return line === null ? '-' : `${fixed(line.slope, 2)} (${fixed(line.intercept)})`;
}

async function printProcessorTime(client: string): Promise<void> {
  console.log(
    `\n${client}: ${values.handshakes} handshakes of each kind without delay, ms of processor time each`,
  );
  printRow(['handshake', 'ok', 'client', 'server', 'may send ms']);
  const attempts = await attemptsOf<ConnectDetails>(connect, [
    ...STACKS,
    ...transportOptions(client),
    ...['--client', client, '--rtt', '0', '--repetitions', values.handshakes],
    // Measures arm by arm, so that no program starts in between.
    ...['--order', 'sequential'],
  ]);
  for (const [handshake, own] of Map.groupBy(attempts, handshakeText)) {
    const ok = own.filter(({ outcome }) => outcome === 'ok');
    const mean = (of: (attempt: Connection) => number | null | undefined) => {
      const reported = ok.flatMap((attempt) => of(attempt) ?? []);
      return fixed(reported.reduce((sum, ms) => sum + ms, 0) / reported.length, 2);
    };
    printRow([
      handshake,
      `${ok.length} of ${own.length}`,
      mean(({ machine }) => machine?.clientCpuMs),
      mean(({ machine }) => machine?.serverCpuMs),
      fixed(median(ok.flatMap(({ metrics }) => metrics.maySendMs ?? [])), 2),
    ]);
  }
}

function transportOptions(client: string): string[] {
  return ['--via', Object.keys(clientFor('connect', client).connect.resumptions).join()];
}

function handshakeText({ details, factors }: Connection): string {
  const { transport = 'not begun' } = details ?? {};
  return factors.resumption === 'none' ? transport : `${transport}, ${factors.resumption}`;
}
