import type { PlainRequest } from '../../../ground/records/plain-request.ts';
import type { Answer } from '../../../servers/bun/contract.ts';
import type { Body } from '../../../servers/bun/recorded-site.ts';

const EMPTY = new Uint8Array();

/** The body that the HTTP stacks would send, read from the site in the same way. */
export async function responseTo(
  { method, host, path, range, bytes }: PlainRequest,
  answer: Answer,
  to: { destroyed: boolean },
): Promise<Body> {
  const header = (name: string) => (name === 'range' ? (range ?? undefined) : undefined);
  const received = method === 'POST' ? bytes : 0;
  const { body } = await answer({ method, host, path, header, received }, () => to.destroyed);
  return body ?? EMPTY;
}
