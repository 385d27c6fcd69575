import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { deterministicPageScript } from '../../../clients/deterministic-page.ts';

/** Values in a page in which the script ran first. */
function inPage(expression: string, seed = 1): unknown {
  const page = vm.createContext({});
  vm.runInContext(deterministicPageScript(seed), page);
  return JSON.parse(vm.runInContext(`JSON.stringify(${expression})`, page));
}

const NUMBERS = 'Array.from({ length: 2000 }, () => Math.random())';

test('returns the same random numbers in every load, and different ones for another seed', () => {
  assert.deepEqual(inPage(NUMBERS), inPage(NUMBERS));
  assert.notDeepEqual(inPage(NUMBERS), inPage(NUMBERS, 2));
});

test('returns random numbers from 0 to 1, uniform and independent', () => {
  const numbers = inPage(NUMBERS) as number[];
  assert.ok(numbers.every((number) => number >= 0 && number < 1));
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  assert.ok(Math.abs(mean - 0.5) < 0.03, `mean ${mean}`);
  const products = numbers
    .slice(1)
    .map((number, at) => (number - 0.5) * ((numbers[at] ?? 0) - 0.5));
  const correlation = (12 * products.reduce((sum, product) => sum + product, 0)) / products.length;
  assert.ok(Math.abs(correlation) < 0.1, `correlation ${correlation}`);
  assert.equal(new Set(numbers).size, numbers.length);
});

test('returns the same date in every load, on any day, and lets time advance on request', () => {
  assert.equal(inPage('new Date().toISOString()'), '2020-01-01T00:00:00.000Z');
  assert.deepEqual(
    inPage('[Date.now(), Date.now(), +new Date()].map((ms) => ms - Date.UTC(2020, 0, 1))'),
    [0, 1, 2],
  );
});

test('completes a page that waits for time to pass', () => {
  assert.equal(
    inPage(
      '(() => { const end = Date.now() + 500; let n = 0; while (Date.now() < end) n++; return n; })()',
    ),
    499,
  );
});

test('keeps all other date functions', () => {
  assert.equal(inPage('new Date(2021, 5, 7).getMonth()'), 5);
  assert.equal(inPage("new Date('2021-06-07T00:00:00Z').getTime()"), Date.UTC(2021, 5, 7));
  assert.equal(inPage("Date.parse('2021-06-07T00:00:00Z')"), Date.UTC(2021, 5, 7));
  assert.equal(inPage('Date.UTC(2021, 5, 7)'), Date.UTC(2021, 5, 7));
  assert.equal(inPage('typeof Date()'), 'string');
  assert.deepEqual(
    inPage('[new Date() instanceof Date, new Date().constructor === Date, Date.name, Date.length]'),
    [true, true, 'Date', 7],
  );
  assert.equal(
    inPage(
      '(class Day extends Date { half() { return this.getTime() / 2; } }, new (class Day extends Date { half() { return 7; } })().half())',
    ),
    7,
  );
});
