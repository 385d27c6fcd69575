/**
 * Merges sequences, each ordered by its own clock, into one: the earliest next item comes first. Only one item of each is
 * held. Clocks of two machines may differ; only the order of the rows depends on that.
 */
export async function* inOrder<Item>(
  sequences: readonly AsyncIterator<Item>[],
  timeOf: (item: Item) => string,
): AsyncGenerator<{ item: Item; from: number }> {
  const heads: { item: Item; atMs: number; from: number }[] = [];
  const advance = async (from: number) => {
    const found = await sequences[from]?.next();
    if (found && !found.done) {
      heads.push({ item: found.value, atMs: Date.parse(timeOf(found.value)), from });
    }
  };
  try {
    for (const from of sequences.keys()) await advance(from);
    while (heads.length > 0) {
      const next = heads.reduce((least, head) =>
        head.atMs < least.atMs || (head.atMs === least.atMs && head.from < least.from)
          ? head
          : least,
      );
      heads.splice(heads.indexOf(next), 1);
      yield { item: next.item, from: next.from };
      await advance(next.from);
    }
  } finally {
    for (const sequence of sequences) await sequence.return?.();
  }
}
