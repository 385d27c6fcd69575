import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNITS, type Unit } from '../../../../ground/unit.ts';
import {
  axisText,
  axisUnit,
  differenceText,
  headingUnit,
  signedValueText,
  unitPhrase,
  valueText,
  valueWithUnit,
} from '../../../../kit/text/value.ts';

test('shows differences with their sign and without insignificant decimals', () => {
  const text = (value: number) => differenceText(value, 'ms');
  assert.deepEqual([-61.24, 0.31, 0, -0.04, 99.96, -1234.5].map(text), [
    '−61.2',
    '+0.3',
    '0.0',
    '0.0',
    '+100',
    '−1,235',
  ]);
  assert.equal(differenceText(-1234.5, 'kbps'), '−1.23 Mbit/s');
});

test('shows values of metrics in their unit', () => {
  assert.equal(valueText(null, 'ms'), '–');
  assert.equal(valueText(12_345.6, 'bytes'), '12.3 kB');
  assert.equal(valueText(2.5, 'count'), '2.5');
  assert.equal(valueText(33.33, 'percent'), '33.3 %');
  assert.equal(valueText(0.98765, 'index'), '0.988');
  assert.equal(valueText(1.234, 'nsPerByte'), '1.23');
  assert.equal(signedValueText(-2000, 'bytes'), '−2.0 kB');
  assert.equal(signedValueText(0, 'bytes'), '0 B');
  assert.equal(signedValueText(0, 'kbps'), '0.00 kbit/s');
});

test('shows a rate with three significant digits in a suitable unit, also after rounding up', () => {
  const text = (kbps: number) => valueText(kbps, 'kbps');
  assert.deepEqual(
    [0.5, 9.996, 64, 999.4, 999.5, 9520, 95_200, 999_499, 999_500, 1_200_000].map(text),
    [
      '0.50 kbit/s',
      '10.0 kbit/s',
      '64.0 kbit/s',
      '999 kbit/s',
      '1.00 Mbit/s',
      '9.52 Mbit/s',
      '95.2 Mbit/s',
      '999 Mbit/s',
      '1.00 Gbit/s',
      '1.20 Gbit/s',
    ],
  );
});

test('shows a unit in the heading or behind the value, in one of the two for all but counts', () => {
  for (const unit of Object.keys(UNITS) as Unit[]) {
    const isBare = unit === 'count' || unit === 'index';
    const own = valueText(12, unit)
      .replace(/[\d.,]/g, '')
      .trim();
    assert.equal(own === '' && headingUnit(unit) === '', isBare, unit);
    assert.equal(own === '' || headingUnit(unit) === '', true, unit);
  }
  assert.equal(valueWithUnit(12, 'ms'), '12.0 ms');
  assert.equal(valueWithUnit(null, 'ms'), '–');
  assert.equal(headingUnit('nsPerByte'), ', ns per byte');
  assert.equal(unitPhrase('ms'), ' in milliseconds');
});

test('uses the axis unit with short ticks', () => {
  const axis = axisUnit('kbps', 9520);
  assert.equal(axis.phrase, ' in Mbit/s');
  assert.equal(axisText(2500, axis), '2.5');
  assert.equal(axisUnit('kbps', 800).phrase, ' in kbit/s');
  assert.equal(axisUnit('bytes', 0).phrase, ' in bytes');
  assert.equal(axisText(1234.567, axisUnit('ms', 5000)), '1,234.57');
});
