import assert from 'node:assert/strict';

/** Fails unless the items, each reduced by the function, are these in this order. */
export function assertEach<Item>(
  items: readonly Item[] | null | undefined,
  reduce: (item: Item, index: number) => unknown,
  expected: readonly unknown[] | undefined,
): void {
  assert.deepEqual(items?.map(reduce), expected);
}
