/**
 * Numbers blocks as the published comparison pairs rows: the n-th rows of each protocol for a URL in a minute (Unix seconds
 * divided by 60, rounded down) form a block. The published files have one block per minute. A row without a partner is a
 * block of its own.
 */
export function minuteBlocks(): (row: { url: string; arm: string; unixS: number }) => number {
  const blocks = new Map<string, number>();
  const blocksOfUrl = new Map<string, number>();
  const timesSeen = new Map<string, number>();
  return ({ url, arm, unixS }) => {
    const minute = `${Math.floor(unixS / 60)} ${url}`;
    const armInMinute = `${arm} ${minute}`;
    const time = (timesSeen.get(armInMinute) ?? 0) + 1;
    timesSeen.set(armInMinute, time);
    const key = `${time} ${minute}`;
    const known = blocks.get(key);
    if (known !== undefined) return known;
    const block = (blocksOfUrl.get(url) ?? 0) + 1;
    blocksOfUrl.set(url, block);
    blocks.set(key, block);
    return block;
  };
}
