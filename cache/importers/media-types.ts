import path from 'node:path';
import type { ResourceType } from '../manifest.ts';

/** Content types by file extension, as production servers send them. */
const CONTENT_TYPES: Record<string, string> = {
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.css': 'text/css; charset=utf-8',
  '.eot': 'application/vnd.ms-fontobject',
  '.gif': 'image/gif',
  '.htm': 'text/html; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/vnd.microsoft.icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.otf': 'font/otf',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
};

/** Content type that servers send for a file name; null: unknown extension. */
export function contentTypeOf(file: string): string | null {
  return CONTENT_TYPES[path.posix.extname(file).toLowerCase()] ?? null;
}

export function isCompressible(contentType: string): boolean {
  return /^text\/|^application\/(json|xml|wasm)|^image\/svg/.test(contentType);
}

export function isBinaryType(contentType: string): boolean {
  const media = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (/\+(xml|json)$|mpegurl/.test(media)) return false;
  return (
    /^(image|audio|video|font)\//.test(media) ||
    /^application\/(octet-stream|wasm|pdf|zip|(x-)?gzip|(x-|vnd\.)?(font|ms-fontobject|protobuf)|x-shockwave-flash|grpc)/.test(
      media,
    )
  );
}

export function isHtmlType(contentType: string): boolean {
  return /^\s*(text\/html|application\/xhtml)/i.test(contentType);
}

/** Type of a response by its content type and, if that is ambiguous, by its URL. */
export function resourceTypeOf(contentType: string | null, url: string): ResourceType {
  const known = typeOfMedia(contentType ?? '');
  if (known !== 'other') return known;
  return typeOfMedia(contentTypeOf(new URL(url).pathname) ?? '');
}

function typeOfMedia(contentType: string): ResourceType {
  const media = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (media === 'text/html' || media === 'application/xhtml+xml') return 'iframe';
  if (media === 'text/css') return 'stylesheet';
  if (/^(text|application)\/(x-)?(java|ecma)script$/.test(media)) return 'script';
  if (/^font\/|^application\/(x-)?font|^application\/vnd\.ms-fontobject$/.test(media))
    return 'font';
  if (media.startsWith('image/')) return 'image';
  if (/^application\/(.+\+)?json$/.test(media)) return 'xhr';
  return 'other';
}
