import type { TransferRequest } from './transfer-client.ts';

export interface TransferPart {
  method: 'GET' | 'POST';
  /** Value of the header `range`; null: the whole file, or an upload. */
  range: string | null;
  /** Size of the request or response body. */
  bytes: number;
  /** Expected status. */
  status: number;
}

export interface SplitTransferRequest extends TransferRequest {
  parts: TransferPart[];
}

/** The requests of a transfer, each for an equal part of its bytes. */
export function splitTransfer(request: TransferRequest): SplitTransferRequest {
  const { bytes, streams } = request;
  const cuts = Array.from({ length: streams + 1 }, (_, index) =>
    Math.floor((bytes * index) / streams),
  );
  const parts = cuts.slice(0, -1).flatMap((from, index): TransferPart[] => {
    const until = cuts[index + 1] ?? bytes;
    // With fewer bytes than streams, some streams have no part. An empty file is requested once.
    if (until === from && streams > 1 && (bytes > 0 || index > 0)) return [];
    return [partOf(from, until, request)];
  });
  return { ...request, parts };
}

function partOf(from: number, until: number, { bytes, direction }: TransferRequest): TransferPart {
  const own = until - from;
  if (direction === 'upload') return { method: 'POST', range: null, bytes: own, status: 204 };
  return own === bytes
    ? { method: 'GET', range: null, bytes, status: 200 }
    : { method: 'GET', range: `bytes=${from}-${until - 1}`, bytes: own, status: 206 };
}
