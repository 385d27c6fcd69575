import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldWithoutSecret } from '../../../clients/secret-fields.ts';

/** Fields with credentials, as services and frameworks name them. */
const SECRETS = `
authorization proxy-authorization authentication authentication-info proxy-authentication-info auth auth_token authtoken
auth-key x-auth x-auth-key x-auth-token x-auth-email x-authorization x-authenticated-user x-goog-authenticated-user-email
x-oauth-token api_key apikey api-key x-api-key X-ApiKey x-apikey x-access-key x-access-token x-accesstoken accessToken
x-jwt x-jwt-assertion jwt dpop dpop-nonce cf-access-jwt-assertion cf-access-client-secret cf-access-token
x-goog-iap-jwt-assertion x-goog-api-key x-firebase-appcheck x-firebase-auth ocp-apim-subscription-key x-functions-key
x-ms-token-aad-id-token x-ms-client-principal x-ms-authorization-auxiliary x-signature x-hub-signature x-hub-signature-256 stripe-signature
x-slack-signature x-twilio-signature signature signature-input x-amz-security-token x-amzn-oidc-accesstoken x-amzn-oidc-data
x-vault-token x-shopify-access-token x-shopify-hmac-sha256 private-token job-token x-gitlab-token deploy-token
csrfmiddlewaretoken csrf-token csrftoken x-csrf-token X-CSRFToken x-xsrf-token xsrf x-csrf RequestVerificationToken
__RequestVerificationToken x-wp-nonce x-session x-session-id X-Session-Token sessionid session_id PHPSESSID JSESSIONID connect.sid
x-sid sid x-user-token x-refresh-token refresh_token id_token x-id-token x-plex-token x-figma-token x-rapidapi-key
x-algolia-api-key x-password password passwd x-pwd x-secret client_secret clientSecret x-client-secret x-credential credentials
x-otp otp x-totp x-2fa x-ticket ticket client-cert x-client-cert x-ssl-client-cert cookie2 set-cookie2 set-login
x-sso x-saml x-bearer bearer x-sig sig x-hmac x-shared-secret x-master-key masterkey secret-key private_key x-subscription-token
sec-token-binding sec-private-state-token secure-session-response circle-token dd-api-key x-newrelic-api-key x-recaptcha-token
`;

/** Fields that describe requests and responses. */
const ORDINARY = `
accept accept-charset accept-encoding accept-language accept-patch accept-post accept-ranges accept-ch accept-signature
access-control-allow-credentials access-control-allow-headers access-control-allow-methods access-control-allow-origin access-control-expose-headers
access-control-max-age access-control-request-headers access-control-request-method age allow alt-svc alt-used cache-control
cache-status cdn-cache-control cf-cache-status cf-ray clear-site-data connection content-disposition content-encoding
content-language content-length content-location content-range content-security-policy content-security-policy-report-only content-type
cross-origin-embedder-policy cross-origin-opener-policy cross-origin-resource-policy critical-ch date device-memory digest
content-digest repr-digest dnt downlink early-data ect etag expect expect-ct expires forwarded from host if-match
if-modified-since if-none-match if-range if-unmodified-since keep-alive last-modified link location max-forwards nel
origin origin-agent-cluster origin-trial permissions-policy pragma priority proxy-authenticate purpose range referer
referrer-policy report-to reporting-endpoints retry-after rtt save-data sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform sec-ch-viewport-width
sec-fetch-dest sec-fetch-mode sec-fetch-site sec-fetch-user sec-gpc sec-purpose sec-websocket-accept sec-websocket-extensions
sec-websocket-key sec-websocket-protocol sec-websocket-version server server-timing service-worker-navigation-preload sourcemap
strict-transport-security surrogate-control surrogate-key te timing-allow-origin traceparent tracestate trailer
transfer-encoding upgrade upgrade-insecure-requests user-agent vary via viewport-width want-digest warning
www-authenticate x-amz-cf-id x-amz-cf-pop x-amz-request-id x-amz-server-side-encryption x-amz-version-id x-author x-azure-ref x-cache
x-cache-hits x-cache-key x-client-data x-content-type-options x-correlation-id x-dns-prefetch-control x-edge-location x-fastly-request-id
x-forwarded-for x-forwarded-host x-forwarded-proto x-frame-options x-generator x-goog-generation x-goog-hash
x-goog-storage-class x-goog-stored-content-length x-github-request-id x-ms-request-id x-ms-version x-permitted-cross-domain-policies
x-powered-by x-ratelimit-limit x-ratelimit-remaining-tokens x-request-id x-requested-with x-robots-tag x-runtime x-served-by
x-timer x-ua-compatible x-varnish x-xss-protection :authority :method :path :scheme :status public-key-pins idempotency-key
`;

const namesIn = (text: string) => text.trim().split(/\s+/);

test('removes values of fields whose names suggest a secret', () => {
  const names = namesIn(SECRETS);
  assert.ok(names.length > 120);
  const kept = names.filter(
    (name) => fieldWithoutSecret({ name, value: 'SECRET' }).value === 'SECRET',
  );
  assert.deepEqual(kept, []);
});

test('keeps values of ordinary fields', () => {
  const names = namesIn(ORDINARY);
  assert.ok(names.length > 120);
  const lost = names.filter((name) => fieldWithoutSecret({ name, value: 'kept' }).value !== 'kept');
  assert.deepEqual(lost, []);
});

test('removes credentials from any field, and keeps challenges and texts like them', () => {
  const value = (text: string) => fieldWithoutSecret({ name: 'x-forwarded', value: text }).value;
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln';
  const secrets = [
    'Bearer abcdefgh',
    'basic dXNlcjpwYXNz',
    'Negotiate oRQwEqADCgEBoQsGCSqGSIL3EgECAg==',
    'Digest username="a", realm="b", response="c"',
    'AWS4-HMAC-SHA256 Credential=a, SignedHeaders=host, Signature=b',
    'authorization=Bearer abcdefgh',
    jwt,
    `token="${jwt}"`,
  ];
  for (const each of secrets) assert.equal(value(each), '(removed)', each);
  const open = [
    'Basic realm="a", charset="UTF-8"',
    'Bearer realm="a", error="invalid_token"',
    'Digest realm="a", nonce="b"',
    'Negotiate',
    'text/html; charset=utf-8',
    'eyJ2IjpbMCwxXX0=',
  ];
  for (const each of open) assert.equal(value(each), each, each);
});

test('keeps a token in a URL, as in the URL of a request', () => {
  const field = {
    name: 'location',
    value: 'https://a.test/?t=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
  };
  assert.deepEqual(fieldWithoutSecret(field), field);
});
