import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valuesOf } from '../../../../ground/options/values.ts';
import { DESKTOP, PHONE } from '../../../../ground/records/device.ts';
import { readCommandLine } from '../../../../runner/command-line/command-line.ts';
import { RECORD_OPTIONS, type RecordOptions, recordOptions } from '../../options.ts';
import { record } from '../../tool.ts';

/** Result of `npm run record` with these words. */
function readRecordOptions(words: readonly string[]): RecordOptions {
  const line = readCommandLine(['record', ...words], { record });
  assert.ok(line);
  return recordOptions(line.operands[0] ?? '', valuesOf(RECORD_OPTIONS, line.given));
}

test('uses the window of measured loads and no scrolling for a URL alone', () => {
  assert.deepEqual(readRecordOptions(['https://www.example.org/a?b#c']), {
    url: 'https://www.example.org/a?b',
    name: null,
    device: DESKTOP,
    scroll: false,
    waitS: 30,
    timeoutS: 60,
  });
});

test('reads every option', () => {
  const args = 'www.example.org --name n --wait 0 --timeout 5 --scroll --viewport 800x600 --mobile';
  assert.deepEqual(readRecordOptions(args.split(' ')), {
    url: 'https://www.example.org/',
    name: 'n',
    device: { ...PHONE, widthPx: 800, heightPx: 600 },
    scroll: true,
    waitS: 0,
    timeoutS: 5,
  });
});

test('reads an address without a scheme as https, with a port as well', () => {
  const urlOf = (address: string) => readRecordOptions([address]).url;
  assert.equal(urlOf('localhost:8000'), 'https://localhost:8000/');
  assert.equal(urlOf('localhost:8000/a'), 'https://localhost:8000/a');
  assert.equal(urlOf('http://localhost:8000/a'), 'http://localhost:8000/a');
});

test('rejects wrong usage with the expected values', () => {
  const wrong: [string[], RegExp][] = [
    [[], /URL is missing/],
    [['a.example', 'b.example'], /One URL at a time.*b\.example/],
    [['ftp://a.example/'], /expected, for example, https/],
    [['data:text/html,x'], /expected, for example, https/],
    [['https://'], /expected, for example, https/],
    [['https://me:secret@a.example/'], /name or password/],
    [['a.example', '--wait', '-1'], /--wait/],
    [['a.example', '--wait', '3601'], /0 to 3600/],
    [['a.example', '--timeout', '0'], /1 to 3600/],
    [['a.example', '--viewport', '800'], /1366x768/],
    [['a.example', '--viewport', '99x800'], /from 100 to 10000/],
    [['a.example', '--fast'], /--fast.*Options: --name/],
  ];
  for (const [args, message] of wrong) {
    assert.throws(() => readRecordOptions(args), { name: 'UsageError', message }, args.join(' '));
  }
});
