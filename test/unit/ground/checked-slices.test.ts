import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedSlices, type SliceKind } from '../../../experiments/checked.ts';

interface Lamp {
  name: string;
  watts: number;
  colour: string | null;
}

const LAMPS: SliceKind<Lamp> = {
  noun: 'lamp',
  parts: ['name', 'watts', 'colour'],
  nameOf: ({ name }) => name,
};
const RED: Lamp = { name: 'red', watts: 0, colour: null };

test('slices with every part of the interface are taken as they are, nothing and zero included', () => {
  const lamps = [RED, { ...RED, name: 'blue' }];
  assert.equal(checkedSlices(LAMPS, lamps), lamps);
});

test('a slice that lacks parts of the interface is refused with their names', () => {
  const { name } = RED;
  const refused = (lamp: Partial<Lamp>, message: RegExp) =>
    assert.throws(() => checkedSlices(LAMPS, [{ ...RED, name: 'blue' }, lamp as Lamp]), message);
  refused({ name }, /^Error: The lamp red lacks watts, colour\.$/);
  refused({}, /^Error: The lamp at place 2 of the index lacks name, watts, colour\.$/);
});

test('two slices of a kind do not have one name', () => {
  assert.throws(() => checkedSlices(LAMPS, [RED, RED]), /^Error: Two lamps have the name red\.$/);
});
