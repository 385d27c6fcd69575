import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  stackColour,
  stackColours,
  stackDashes,
  stackShape,
  stackStyle,
} from '../../../../kit/page/stack.ts';
import { STACKS } from '../../../../servers/index.ts';

const ARMS = STACKS.map(({ stack, label }, place) => ({ arm: stack, label, place }));

test('gives no two stacks of a run the same colour or the same dashes, even if all are measured', () => {
  assert.equal(new Set(ARMS.map(stackColour)).size, ARMS.length);
  assert.equal(new Set(ARMS.map(stackDashes)).size, ARMS.length);
  const first = ARMS.slice(0, 8);
  assert.equal(new Set(first.map((arm) => stackShape(arm).sign)).size, first.length);
});

test('has every named colour of a chart in the style sheet, light and dark, with the line of its legend', () => {
  for (const arm of ARMS) {
    const name = /--stack-\d+/.exec(stackColour(arm))?.[0] ?? '';
    for (const theme of ['light', 'dark'] as const) {
      assert.match(stackColours(theme), new RegExp(`${name}: #[0-9a-f]{6};`));
    }
    assert.ok(stackStyle.includes(`stroke: var(${name}); stroke-dasharray: ${stackDashes(arm)};`));
  }
  const colours = [...stackColours('light').matchAll(/#\w+/g)].map(([colour]) => colour);
  assert.equal(new Set(colours).size, colours.length);
});
