import { apache } from './apache/format.ts';
import { caddy } from './caddy/format.ts';
import { documentRoot } from './document-root/format.ts';
import type { ExportFormat } from './exporter.ts';
import { har } from './har/format.ts';
import { nginx } from './nginx/format.ts';
import { warc } from './warc/format.ts';
import { wget } from './wget/format.ts';

/** All export formats, in the order of the help. */
export const EXPORT_FORMATS: readonly ExportFormat[] = [
  har,
  warc,
  wget,
  documentRoot,
  nginx,
  caddy,
  apache,
];
