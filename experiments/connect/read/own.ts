import { MOST_SYSTEM_NUMBER } from '../../../ground/records/autonomous-system.ts';
import {
  type ConnectDetails,
  LAYERS,
  RESUMPTIONS,
} from '../../../ground/records/connection-attempt.ts';
import {
  CONNECTION_TRANSPORT_NAMES,
  CONNECTION_TRANSPORTS,
} from '../../../ground/records/connection-transport.ts';
import { type Cells, dimensionsFromColumns } from '../../../ground/records/dimensions.ts';
import { type NetworkCondition, NOTHING_ADDED } from '../../../ground/records/network.ts';
import { renameFields } from '../../../ground/records/older-format.ts';
import type { ConnectionColumn } from '../table.ts';
import type { Dialect } from './dialect.ts';
import { type Fields, fieldsOf } from './fields.ts';
import { addressIn } from './jaeger.ts';
import type { TableRow } from './table-file.ts';

type OwnFields = Fields<ConnectionColumn>;

/** Columns of connections.csv before format 6, with their names of today. */
const FORMER_COLUMNS = { via: 'transport', rtt_asked_ms: 'rtt_added_ms' };

const OUTCOMES = ['ok', 'failed', 'invalid', 'unsupported'] as const;

/** connections.csv of this project. */
export const own: Dialect = {
  metric: 'maySendMs',
  baseline: 'tls1.3',
  reader: (file) => (row) => {
    const fields = fieldsOf<ConnectionColumn>(file, {
      ...row,
      fields: renameFields(row.fields, FORMER_COLUMNS) as TableRow['fields'],
    });
    const transport = fields.needed(
      'transport',
      fields.oneOf('transport', CONNECTION_TRANSPORT_NAMES),
      `one of ${CONNECTION_TRANSPORT_NAMES.join(', ')}`,
    );
    const block = fields.needed('block', fields.count('block'), 'a whole number');
    const warmup = fields.flag('warmup') ?? false;
    const url = fields.neededText('Url');
    const outcome = fields.oneOf('outcome', OUTCOMES);
    const arm = fields.neededText('arm');
    const client = fields.text('client') ?? 'unknown';
    return {
      subject: fields.neededText('subject'),
      url: `https://${url}${fields.text('Path') ?? '/'}`,
      arm: {
        arm,
        label: arm,
        protocol: CONNECTION_TRANSPORTS[transport].protocol,
        stack: fields.neededText('stack'),
        transport,
        client,
        controlOf: null,
      },
      network: networkIn(fields),
      measuredRttMs: fields.number('path_rtt_ms'),
      factors: factorsIn(fields),
      block,
      warmup,
      outcome: fields.needed('outcome', outcome, `one of ${OUTCOMES.join(', ')}`),
      code: fields.text('code'),
      message: outcome === 'ok' ? null : fields.text('error_reason'),
      metrics: {
        tcpMs: fields.number('tcp_ms'),
        maySendMs: fields.number('may_send_ms'),
        completeMs: fields.number('complete_ms'),
        confirmedMs: fields.number('confirmed_ms'),
        firstByteMs: fields.number('first_byte_ms'),
        totalMs: fields.number('total_ms'),
      },
      details: {
        transport,
        host: url,
        address: addressIn(fields),
        ...systemIn(fields),
        lookupMs: fields.number('DnsLookupTime'),
        client,
        resumption: fields.oneOf('resumption', RESUMPTIONS) ?? 'none',
        facts: factsIn(fields),
        error: errorIn(fields),
      },
      unixS: fields.unixS('TimeOfMeasurement'),
      machine: fields.text('machine'),
      id: fields.neededText('id'),
    };
  },
};

function networkIn(fields: OwnFields): NetworkCondition {
  return {
    ...NOTHING_ADDED,
    name: fields.neededText('network'),
    rttMs: fields.neededNumber('rtt_added_ms'),
    ...(dimensionsFromColumns(fields as Cells) as Partial<NetworkCondition>),
  };
}

function factorsIn(fields: OwnFields): Record<string, string> {
  const found = { ipv: fields.text('ipv'), resumption: fields.text('resumption') };
  return Object.fromEntries(
    Object.entries(found).flatMap(([factor, value]) => (value === null ? [] : [[factor, value]])),
  );
}

function systemIn(fields: OwnFields): Pick<ConnectDetails, 'autonomousSystem'> {
  const number = fields.count('as_number');
  if (number === null) return {};
  if (number > MOST_SYSTEM_NUMBER) throw fields.wrong('as_number', `at most ${MOST_SYSTEM_NUMBER}`);
  return { autonomousSystem: number === 0 ? null : { number, name: fields.text('as_name') ?? '' } };
}

function factsIn(fields: OwnFields) {
  return {
    tlsVersion: fields.text('tls_version'),
    cipher: fields.text('cipher'),
    group: fields.text('group'),
    alpn: fields.text('alpn'),
    quicVersion: fields.text('quic_version'),
    retry: fields.flag('retry'),
    resumed: fields.flag('resumed'),
    earlyData: fields.oneOf('early_data', ['accepted', 'rejected']),
    bytesSent: fields.number('bytes_sent'),
    bytesReceived: fields.number('bytes_received'),
    certificateChainBytes: fields.number('certificate_chain_bytes'),
    rttMs: fields.number('rtt_ms'),
    status: fields.count('HttpResponse'),
    bodyBytes: fields.number('body_bytes'),
    altSvc: fields.text('alt_svc'),
  };
}

function errorIn(fields: OwnFields) {
  const layer = fields.oneOf('error_layer', LAYERS);
  if (layer === null) return null;
  return {
    layer,
    code: fields.text('error_code') ?? '',
    reason: fields.text('error_reason') ?? '',
  };
}
