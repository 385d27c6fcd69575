import { test } from 'node:test';
import {
  assertServerRefuses,
  skipped,
  testExportedServer,
  withExport,
} from '../../../../../test/e2e/exported-server.ts';
import { apache } from '../../format.ts';

testExportedServer({
  exported: apache,
  protocols: ['h2', 'http/1.1'],
  adds: ['server'],
  headLength: undefined,
});

test('rejects HTTP/3, which Apache lacks', async (t) => {
  if (skipped(t, apache)) return;
  const part = /Apache [\d.]+ has no HTTP\/3; it speaks h2 and http\/1\.1/;
  await withExport(apache, (fixture) => assertServerRefuses(fixture, {}, part, 'h3'));
});
