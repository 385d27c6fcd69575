/** Takes a request's body and throws it away: as real servers do, every stack answers once it is there. */
export async function readToItsEnd(body: AsyncIterable<unknown> | null): Promise<void> {
  if (body === null) return;
  for await (const _ of body);
}
