import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { QlogEvent } from '../../../../packets/qlog/trace.ts';
import { QLOG_EVENT, QLOG_HEAD } from './qlog-schema.ts';

const ajv = new Ajv2020({ strict: true, strictTypes: false });
const isHead = ajv.compile<QlogHead>(QLOG_HEAD);
const isEvent = ajv.compile<QlogEvent>(QLOG_EVENT);

/** The first record, about the trace. */
export interface QlogHead {
  title: string;
  trace: { common_fields: { ODCID?: string; reference_time: number }; description: string };
}

/** The records of a qlog, each checked against the schema of the standard. */
export async function readQlog(file: string): Promise<{ head: QlogHead; events: QlogEvent[] }> {
  const text = await readFile(file, 'utf8');
  // A JSON text sequence (RFC 7464).
  const [nothing, ...records] = text.split('\u001e');
  assert.equal(nothing, '');
  for (const record of records) assert.match(record, /^[^\n]+\n$/);
  const [head, ...events] = records.map((record): unknown => JSON.parse(record));
  assert.ok(isHead(head), `${JSON.stringify(head)}: ${ajv.errorsText(isHead.errors)}`);
  const checked = events.map((event) => {
    assert.ok(isEvent(event), `${JSON.stringify(event)}: ${ajv.errorsText(isEvent.errors)}`);
    return event;
  });
  const times = checked.map(({ time }) => time);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  return { head, events: checked };
}
