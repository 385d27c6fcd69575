// Chromium's words for what Firefox calls otherwise, so that a reader of HARs needs to know only one browser's.

import type { HarEntry } from '../../har/har.ts';
import type { ChannelFacts } from '../channel-facts.ts';
import { pairsOf, valuesOf } from './header-fields.ts';

const RESOURCE_TYPES: Readonly<Record<string, string>> = {
  DOCUMENT: 'document',
  // As in Chromium: a frame has a document.
  SUBDOCUMENT: 'document',
  STYLESHEET: 'stylesheet',
  XSLT: 'stylesheet',
  SCRIPT: 'script',
  IMAGE: 'image',
  IMAGESET: 'image',
  FONT: 'font',
  MEDIA: 'media',
  XMLHTTPREQUEST: 'xhr',
  FETCH: 'fetch',
  BEACON: 'ping',
  PING: 'ping',
  WEB_MANIFEST: 'manifest',
  WEBSOCKET: 'websocket',
};

const INNER_RESOURCE_TYPES: Readonly<Record<string, string>> = {
  INTERNAL_EVENTSOURCE: 'eventsource',
  INTERNAL_TRACK: 'texttrack',
};

export function resourceTypeOf(facts: ChannelFacts): string {
  const { method, purpose, innerPurpose, requestHeaders } = facts;
  const asksPermission =
    valuesOf(pairsOf(requestHeaders), 'access-control-request-method').length > 0;
  if (method === 'OPTIONS' && asksPermission) return 'preflight';
  return INNER_RESOURCE_TYPES[innerPurpose] ?? RESOURCE_TYPES[purpose] ?? 'other';
}

/** By urgency (RFC 9218), as Chromium sends them. */
const PRIORITIES = ['VeryHigh', 'High', 'Medium', 'Low', 'VeryLow'];

const DEFAULT_URGENCY = 3;

export function priorityOf({ requestHeaders }: ChannelFacts): string {
  const [field = ''] = valuesOf(pairsOf(requestHeaders), 'priority');
  const urgency = Number(/\bu=(\d)/.exec(field)?.[1] ?? DEFAULT_URGENCY);
  return PRIORITIES[urgency] ?? 'VeryLow';
}

const HTTP_VERSIONS: Readonly<Record<string, string>> = {
  '1.0': 'http/1.0',
  '1.1': 'http/1.1',
  '2.0': 'h2',
  '3.0': 'h3',
};

export function httpVersionOf({
  version,
  status,
}: Pick<ChannelFacts, 'version' | 'status'>): string {
  return (status > 0 && HTTP_VERSIONS[version]) || 'unknown';
}

/** Last word of `NS_ERROR_GENERATE_FAILURE(NS_ERROR_MODULE_SECURITY, SEC_ERROR_UNKNOWN_ISSUER)`, and of any other name. */
export const ERROR_NAME = /(\w+)\)?$/;

/** By number of nsITransportSecurityInfo. */
const TLS_VERSIONS = ['SSL 3.0', 'TLS 1', 'TLS 1.1', 'TLS 1.2', 'TLS 1.3'];

const GROUPS: Readonly<Record<string, string>> = {
  x25519: 'X25519',
  mlkem768x25519: 'X25519MLKEM768',
  P256: 'P-256',
  P384: 'P-384',
  P521: 'P-521',
};

export function securityDetailsOf({
  tls,
  version,
  status,
}: ChannelFacts): Pick<HarEntry, '_securityDetails'> {
  if (tls === null || status === 0) return {};
  return {
    _securityDetails: {
      protocol: version === '3.0' ? 'QUIC' : (TLS_VERSIONS[tls.version] ?? 'unknown'),
      // `TLS_AES_128_GCM_SHA256` and `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` to AES_128_GCM.
      cipher: tls.cipher.replace(/^TLS_(.*_WITH_)?|_SHA\d*$/g, ''),
      keyExchange: '',
      keyExchangeGroup: GROUPS[tls.group] ?? tls.group,
    },
  };
}
