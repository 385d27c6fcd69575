import type { Finding } from '../../../ground/host/check.ts';

export function fine(found: string): Finding {
  return { status: 'ok', found };
}

export function noted(found: string, remedy?: string): Finding {
  return { status: 'note', found, ...(remedy && { remedy }) };
}

export function lacking(found: string, remedy: string): Finding {
  return { status: 'lack', found, remedy };
}
