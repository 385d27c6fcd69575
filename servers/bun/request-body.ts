/**
 * Takes a request's body and throws it away: as real servers do, every stack answers once it is there.
 * @returns how many bytes it had
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
