import type { Finding } from '../../../ground/host/check.ts';

export function okFinding(found: string): Finding {
  return { status: 'ok', found };
}

export function noteFinding(found: string, remedy?: string): Finding {
  return { status: 'note', found, ...(remedy && { remedy }) };
}

export function lackFinding(found: string, remedy: string): Finding {
  return { status: 'lack', found, remedy };
}
