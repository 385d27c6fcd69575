import type { AskedTransfer } from './transferrer.ts';

/** One of the requests of a transfer. */
export interface Part {
  method: 'GET' | 'POST';
  /** Value of the header `range`; null: the whole file, or an upload. */
  range: string | null;
  /** Of the body that comes, or goes. */
  bytes: number;
  /** What the server answers if all is well. */
  status: number;
}

/** A transfer as the programs are asked for it. */
export interface TransferInParts extends AskedTransfer {
  parts: Part[];
}

/** The requests of a transfer, each for an equal part of its bytes. */
export function inParts(asked: AskedTransfer): TransferInParts {
  const { bytes, streams } = asked;
  const cuts = Array.from({ length: streams + 1 }, (_, index) =>
    Math.floor((bytes * index) / streams),
  );
  const parts = cuts.slice(0, -1).flatMap((from, index): Part[] => {
    const until = cuts[index + 1] ?? bytes;
    // Fewer bytes than streams: there is nothing for some. An empty file is asked for once.
    if (until === from && streams > 1 && (bytes > 0 || index > 0)) return [];
    return [partOf(from, until, asked)];
  });
  return { ...asked, parts };
}

function partOf(from: number, until: number, { bytes, direction }: AskedTransfer): Part {
  const own = until - from;
  if (direction === 'upload') return { method: 'POST', range: null, bytes: own, status: 204 };
  return own === bytes
    ? { method: 'GET', range: null, bytes, status: 200 }
    : { method: 'GET', range: `bytes=${from}-${until - 1}`, bytes: own, status: 206 };
}
