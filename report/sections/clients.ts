import { browserLabel } from '../../ground/browser-kind.ts';
import {
  type ClientTransports,
  type SynRecord,
  TRANSPORT_PARAMETERS,
} from '../../ground/records/client-transports.ts';
import { packetsPerAcknowledgement } from '../../ground/records/load-readings.ts';
import type { Observation } from '../../ground/records/observation.ts';
import { isOverQuic, isOverTcp, type Protocol } from '../../ground/records/protocol.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { labelWithoutBrowser, splitBrowser } from '../../ground/stack.ts';
import { html, type Insert, type Markup } from '../../kit/page/markup.ts';
import { type Group, table } from '../../kit/page/table.ts';
import { decimalText, rangeText } from '../../kit/text/number.ts';
import type { ReportView } from './view.ts';

/** A property with its value in the loads of one client. */
type Row = readonly [property: Insert, textIn: (loads: readonly Observation[]) => Insert];

/** What the clients of a run offer and how often they acknowledge, next to each other. */
export function clientsTable(view: ReportView): Markup {
  const { run, experiment, counted } = view;
  const loads = view.observations.filter(
    ({ id, connections }) => counted.has(id) && connections?.client,
  );
  const byArm = Map.groupBy(loads, ({ arm }) => arm);
  const arms = run.arms.filter(({ arm }) => byArm.has(arm));
  const clients = [...Map.groupBy(arms, ({ client }) => client)].map(
    ([name, own]) => [name, own.flatMap(({ arm }) => byArm.get(arm) ?? [])] as const,
  );
  const heading = html`<h3>What the clients do</h3>`;
  if (loads.length === 0) {
    return html`${heading}
<p>Not known: no ${experiment.attempt[0]} that counts has it. Runs before format 6.2 lack it.</p>`;
  }
  const over = (isOver: (protocol: Protocol) => boolean, rows: readonly Row[], name: string) =>
    loads.some(({ protocol }) => isOver(protocol)) ? [[name, rows] as Group<Row>] : [];
  return html`${heading}
<p>Read from packets at the ${experiment.clientNoun}’s end of the path, in the ${experiment.attempt[1]} that count. Ranges are from the least to
the most. QUIC has the names of its transport parameters, with the defaults of those not sent; its windows grow.</p>
${table({
  label: 'What the clients do',
  caption: 'What each client offers, and how often it acknowledges',
  columns: [
    ['', ([property]) => property],
    ...clients.map(
      ([name, own]) =>
        [
          html`<bdi>${browserLabel(name)}</bdi>`,
          ([, textIn]: Row) => textIn(own),
          'text wrap',
        ] as const,
    ),
  ],
  groups: [
    ...over(isOverQuic, QUIC_ROWS, 'QUIC'),
    ...over(isOverTcp, TCP_ROWS, 'TCP'),
    [
      html`Packets received for each acknowledgement${loads.some(({ protocol }) => isOverQuic(protocol)) && html` <small>over QUIC, which hides them: for each packet sent, requests among them</small>`}`,
      stackRows(arms),
    ],
  ],
})}`;
}

/** Sums of all loads: those with few packets say little. */
function stackRows(arms: RunRecord['arms']): Row[] {
  const stacks = Map.groupBy(arms, ({ arm }) => splitBrowser(arm)[0]);
  return [...stacks].map(([stack, [first]]) => [
    html`<bdi>${first && labelWithoutBrowser(first.label, first.client)}</bdi>`,
    (own) => {
      const ratio = packetsPerAcknowledgement(
        own.filter((load) => splitBrowser(load.arm)[0] === stack),
      );
      return ratio === null ? UNKNOWN : decimalText(ratio, 1);
    },
  ]);
}

const UNKNOWN = html`<em>unknown</em>`;

type Read<T> = (client: ClientTransports) => T | null | undefined;

function readAll<T>(loads: readonly Observation[], read: Read<T>): T[] {
  return loads.flatMap(({ connections }) => {
    const value = connections?.client && read(connections.client);
    return value === null || value === undefined ? [] : [value];
  });
}

function numbersRow(property: Insert, unit: string, read: Read<number>): Row {
  return [
    property,
    (loads) => {
      const values = readAll(loads, read);
      return values.length === 0 ? UNKNOWN : `${rangeText(values)} ${unit}`;
    },
  ];
}

function parameterRow({ name, unit, byDefault }: (typeof TRANSPORT_PARAMETERS)[number]): Row {
  const read: Read<number> = ({ quic }) =>
    quic?.transportParameters && (quic.transportParameters[name] ?? byDefault ?? Number.NaN);
  const [property, textIn] = numbersRow(html`<code>${name}</code>`, unit, read);
  return [
    property,
    (loads) => (readAll(loads, read).some(Number.isNaN) ? 'not offered' : textIn(loads)),
  ];
}

function helloRows(transport: 'quic' | 'tcp'): Row[] {
  return [
    numbersRow('ClientHello', 'bytes', (client) => client[transport]?.hello?.bytes),
    numbersRow('Packets of the ClientHello', '', (client) => client[transport]?.hello?.packets),
    numbersRow(
      'Payload of the first of them',
      'bytes',
      (client) => client[transport]?.hello?.firstPacketBytes,
    ),
  ];
}

const QUIC_ROWS: readonly Row[] = [...helloRows('quic'), ...TRANSPORT_PARAMETERS.map(parameterRow)];

const TCP_ROWS: readonly Row[] = [
  ...helloRows('tcp'),
  numbersRow('Receive window of the SYN', 'bytes', ({ tcp }) => tcp?.syn?.windowBytes),
  numbersRow('Largest receive window', 'bytes', ({ tcp }) => tcp?.largestWindowBytes),
  numbersRow('Largest segment that it accepts (MSS)', 'bytes', ({ tcp }) => tcp?.syn?.mssBytes),
  [
    'Options of the SYN',
    (loads) => {
      const texts = readAll(loads, ({ tcp }) => tcp?.syn && optionsText(tcp.syn));
      return texts.length === 0 ? UNKNOWN : [...new Set(texts)].join(' or ');
    },
  ],
];

function optionsText({ sack, timestamps, windowScale }: SynRecord): string {
  const names = [
    ...(windowScale === null ? [] : ['window scale']),
    ...(sack ? ['SACK'] : []),
    ...(timestamps ? ['timestamps'] : []),
  ];
  return names.join(', ') || 'none';
}
