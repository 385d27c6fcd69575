import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { keepNetLog } from '../../../net-log/keep.ts';

const EVENTS = [1, 2, 3].map((id) => `{"params":{"text":"a],"},"source":{"id":${id}}}`);
const WHOLE = `{"constants":{"a":1},\n"events": [\n${EVENTS.join(',\n')}],\n"polledData": {"b":[\n2]}}\n`;

test('keeps a whole NetLog unchanged, and a truncated one up to its last whole event', async (t) => {
  const folder = temporaryFolder(t);
  const from = path.join(folder, 'net-log.json');
  const kept = async (text: string) => {
    const file = path.join(folder, `${text.length}.gz`);
    await writeFile(from, text);
    await keepNetLog(from, file);
    return gunzipSync(await readFile(file)).toString();
  };
  assert.equal(await kept(WHOLE), WHOLE);
  const first = WHOLE.indexOf('[\n') + 2;
  for (let length = first; length < WHOLE.length - 2; length++) {
    const { constants, events, cut } = JSON.parse(await kept(WHOLE.slice(0, length)));
    assert.deepEqual([constants, cut], [{ a: 1 }, true], `${length}`);
    const whole = EVENTS.filter((event) => WHOLE.indexOf(event) + event.length <= length).map(
      (event) => JSON.parse(event),
    );
    assert.deepEqual(events, whole, `${length}`);
  }
});

test('reports a browser that wrote no NetLog', async (t) => {
  const folder = temporaryFolder(t);
  const from = path.join(folder, 'net-log.json');
  await assert.rejects(keepNetLog(from, path.join(folder, 'kept.gz')), /net-log\.json/);
  await writeFile(from, '{"constants":{"a"');
  await assert.rejects(keepNetLog(from, path.join(folder, 'kept.gz')), /no usable NetLog/);
});

test('removes values of secret header fields from a kept NetLog, and keeps the rest', async (t) => {
  const folder = temporaryFolder(t);
  const [from, file] = [path.join(folder, 'net-log.json'), path.join(folder, 'kept.gz')];
  const event = (headers: string[]) => ({ params: { headers, line: 'GET / HTTP/1.1' }, type: 1 });
  const sent = event([':authority: a.test', 'x-api-key: SECRET', 'accept: */*']);
  const received = event(['cookie: [9 bytes were stripped]', 'HTTP/1.1 200', 'dpop: SECRET']);
  await writeFile(
    from,
    `{"constants":{},\n"events": [\n${JSON.stringify(sent)},\n${JSON.stringify(received)}],\n"polledData": {}}\n`,
  );
  await keepNetLog(from, file);
  const { events } = JSON.parse(gunzipSync(await readFile(file)).toString());
  assert.deepEqual(events, [
    event([':authority: a.test', 'x-api-key: (removed)', 'accept: */*']),
    event(['cookie: [9 bytes were stripped]', 'HTTP/1.1 200', 'dpop: (removed)']),
  ]);
});
