import * as Plot from '@observablehq/plot';
import { LAYER_NAMES, LAYERS, type Layer, type LayerBytes } from '../../ground/records/packets.ts';
import type { Markup } from '../page/markup.ts';
import { html } from '../page/markup.ts';
import type { ChartStack } from '../page/stack.ts';
import { bytesText } from '../text/number.ts';
import { CHART_WIDTH_PX, drawChart, GRID, LABEL_BELOW, shortName } from './canvas.ts';

/** Bytes of one stack by layer, before or after the first requests of its connections. */
export interface LayerBar {
  arm: string;
  phase: 'before' | 'after';
  bytes: LayerBytes;
}

/** Without bodies, which are nine tenths of all bytes and no overhead. Unreadable bytes follow the overhead separately. */
const DRAWN = LAYER_NAMES.filter((layer) => layer !== 'payload');

const PHASES = { before: 'before the first request', after: 'from then on' } as const;

export function layerChart(
  bars: readonly LayerBar[],
  arms: readonly ChartStack[],
  ariaLabel: string,
): Markup {
  const pieces = bars.flatMap(({ arm, phase, bytes }) =>
    DRAWN.filter((layer) => bytes[layer] > 0).map((layer) => ({
      arm,
      phase,
      layer,
      bytes: bytes[layer],
    })),
  );
  const labelOf = new Map(arms.map(({ arm, label }) => [arm, label]));
  const rows = arms.flatMap(({ arm }) =>
    (['before', 'after'] as const).map((phase) => rowOf(arm, phase)),
  );
  return drawChart(
    {
      height: 60 + 44 * arms.length,
      marginTop: 8,
      marginBottom: 44,
      marginLeft: 272,
      marginRight: bars.some(({ bytes }) => bytes.unread > 0) ? 170 : 70,
      width: CHART_WIDTH_PX,
      x: { label: null },
      y: { domain: rows, label: null, padding: 0.18, tickSize: 0 },
    },
    [
      Plot.gridX({ ...GRID, ticks: 6 }),
      Plot.axisX({
        ...LABEL_BELOW,
        label: 'Bytes of both directions without HTTP bodies',
        ticks: 6,
        tickFormat: bytesText,
      }),
      Plot.axisY({
        tickSize: 0,
        tickFormat: (row: string) => {
          const [arm = '', phase] = row.split('\n');
          const words = PHASES[phase as keyof typeof PHASES];
          return phase === 'before' ? `${shortName(labelOf.get(arm) ?? arm)}: ${words}` : words;
        },
      }),
      Plot.barX(pieces, {
        y: (piece: (typeof pieces)[number]) => rowOf(piece.arm, piece.phase),
        x: 'bytes',
        fill: (piece: (typeof pieces)[number]) => `var(--layer-${piece.layer})`,
        order: (piece: (typeof pieces)[number]) => DRAWN.indexOf(piece.layer),
        stroke: 'var(--paper)',
        title: (piece: (typeof pieces)[number]) =>
          `${labelOf.get(piece.arm) ?? piece.arm}, ${PHASES[piece.phase]}, ${piece.layer}: ${bytesText(Math.round(piece.bytes))}`,
      }),
      Plot.text(bars, {
        y: (bar: LayerBar) => rowOf(bar.arm, bar.phase),
        x: (bar: LayerBar) => overheadOf(bar.bytes) + bar.bytes.unread,
        text: (bar: LayerBar) => endText(bar.bytes),
        dx: 6,
        textAnchor: 'start',
        fill: 'var(--quiet)',
      }),
      Plot.ruleX([0], { stroke: 'var(--quiet)' }),
    ],
    ariaLabel,
    {
      columns: ['Stack', 'Phase', 'Layer', 'Bytes'],
      rows: () =>
        bars.flatMap(({ arm, phase, bytes }) =>
          LAYER_NAMES.map((layer) => [labelOf.get(arm) ?? arm, PHASES[phase], layer, bytes[layer]]),
        ),
    },
  );
}

export function layerLegend(bars: readonly LayerBar[]): Markup[] {
  return DRAWN.filter((layer) => bars.some(({ bytes }) => bytes[layer] > 0)).map(
    (layer) =>
      html`<span class="swatch layer-${layer}" aria-hidden="true"></span><span title="${LAYERS[layer]}">${layer}</span>`,
  );
}

export const LAYER_STYLE = rulesOf({
  ethernet: '#4b5b6b',
  ip: '#7d8b99',
  transport: '#aeb8c2',
  quic: '#1668b4',
  tls: '#c95f12',
  handshake: '#8a4fbd',
  http: '#1c8a63',
  padding: '#d3bf7a',
  acknowledgements: '#b04c8c',
  retransmissions: '#c22d3f',
  unread: '#86682f',
}).join('');

function rulesOf(colours: Record<Exclude<Layer, 'payload'>, string>): string[] {
  const named = Object.entries(colours);
  return [
    `:root{${named.map(([layer, colour]) => `--layer-${layer}:${colour}`).join(';')}}`,
    ...named.map(([layer]) => `.swatch.layer-${layer}{background:var(--layer-${layer})}`),
  ];
}

function rowOf(arm: string, phase: string): string {
  return `${arm}\n${phase}`;
}

function endText(bytes: LayerBytes): string {
  const text = bytesText(Math.round(overheadOf(bytes)));
  return bytes.unread === 0 ? text : `${text} + ${bytesText(Math.round(bytes.unread))} not read`;
}

function overheadOf(bytes: LayerBytes): number {
  return DRAWN.reduce((sum, layer) => sum + (layer === 'unread' ? 0 : bytes[layer]), 0);
}
