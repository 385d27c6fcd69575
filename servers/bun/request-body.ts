/**
 * Reads and discards a request's body; every stack answers after its end, as real servers do.
 * @returns size of the body
 */
export async function discardBody(
  body: AsyncIterable<Uint8Array | Uint8Array[]> | null,
): Promise<number> {
  let bytes = 0;
  if (body === null) return bytes;
  for await (const pieces of body) {
    for (const piece of [pieces].flat()) bytes += piece.length;
  }
  return bytes;
}
