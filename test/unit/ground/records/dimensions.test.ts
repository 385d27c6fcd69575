import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import {
  DIMENSION_ROWS,
  dimensionColumns,
  dimensionsFromColumns,
  laterColumns,
} from '../../../../ground/records/dimensions.ts';
import { projectFolder } from '../../../../ground/system/folders.mjs';
import { DELAYED } from '../../report/fixture-run.ts';

const TABLE = path.join('ground', 'records', 'dimensions.ts');

/** Files that need many dimensions at once, and why. */
const WITH_MANY: Readonly<Record<string, string>> = {
  'network/conditions.ts': 'named conditions are values of them',
  'network/userspace/backend.ts': 'hands them on to the link',
};

test('lists the dimensions of a network in the table only', () => {
  // The presets of studies are values of them.
  const isSource = (file: string) => !/^(node_modules|studies|\.)|(^|\/)test(\/|$)/.test(file);
  const most = DIMENSION_ROWS.length / 2;
  const listing = globSync('**/*.ts', { cwd: projectFolder, exclude: (file) => !isSource(file) })
    .filter((file) => {
      const text = readFileSync(path.join(projectFolder, file), 'utf8');
      return (['field', 'flag'] as const).some(
        (kind) =>
          DIMENSION_ROWS.filter((row) => new RegExp(`\\b${row[kind]}\\b['"]?(,|:| \\})`).test(text))
            .length > most,
      );
    })
    .filter((file) => file !== TABLE && !Object.hasOwn(WITH_MANY, file));
  assert.deepEqual(listing, []);
});

test('gives each dimension its own field, option and columns', () => {
  const columns = DIMENSION_ROWS.flatMap((row) => Object.keys(row.columns));
  for (const names of [
    DIMENSION_ROWS.map(({ flag }) => flag),
    DIMENSION_ROWS.map(({ field }) => field),
    columns,
  ]) {
    assert.equal(new Set<string>(names).size, names.length);
  }
});

const REQUESTED = {
  ...DELAYED,
  downKbps: 5000,
  lossPercent: 1,
  jitterMs: 2,
  burstLoss: { enterPercent: 0.4, leavePercent: 33 },
  queueBdp: 2,
  udp: { treatment: 'throttled', kbps: 1000 },
  lostPacket: 40,
  congestionControl: 'bbr',
  initialWindow: 'stock',
  receiveBuffer: 'stock',
  mtuBytes: 1280,
} as const;

test('reads a network back from its columns', () => {
  const columns = new Map([...dimensionColumns(1, 8), ...laterColumns([REQUESTED])]);
  const cell = (column: string) => columns.get(column)?.(REQUESTED) ?? null;
  const read = dimensionsFromColumns({
    number: (column) => cell(column) as number | null,
    text: (column) => cell(column) as string | null,
  });
  const { name: _, rttMs: __, upKbps: ___, ...rest } = REQUESTED;
  assert.deepEqual({ ...read }, rest);
});

test('has columns of new dimensions only if a condition uses them', () => {
  const namesOf = (...networks: object[]) => laterColumns(networks).map(([column]) => column);
  assert.deepEqual(namesOf(DELAYED), []);
  assert.deepEqual(namesOf(DELAYED, REQUESTED), [
    'cc',
    'initcwnd',
    'receive_buffer_bytes',
    'mtu_bytes',
  ]);
});
