import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { BROWSERS, type BrowserKind } from '../ground/browser-kind.ts';
import * as x509 from './x509.ts';

export interface CertificateProblem {
  code:
    | 'no-certificate'
    | 'other-name'
    | 'expired'
    | 'not-yet-valid'
    | 'key-too-small'
    | 'key-type'
    | 'weak-signature'
    | 'not-for-servers'
    | 'not-for-signing'
    | 'self-signed'
    | 'chain-incomplete'
    | 'unknown-authority';
  /** The problem, without a full stop. */
  message: string;
  remedy: string;
}

/** Requirements for a chain. */
export interface CertificateUse {
  /** Name or address in the URL. */
  host: string;
  at: Date;
  /** Whose requirements; absent: Chromium's. */
  browser?: BrowserKind;
  /** Trusted authorities (PEM); absent: trust is not checked. */
  authorities?: readonly string[];
}

interface Certificate {
  /** Reads names and keys, verifies signatures. */
  node: X509Certificate;
  /** Reads extensions and algorithms. */
  parts: x509.X509Certificate;
}

/** Chromium 156 and Firefox 153 offer no signature scheme for keys of other kinds, over TCP or QUIC. */
const CURVES: Record<BrowserKind, readonly string[]> = {
  chromium: ['prime256v1', 'secp384r1'],
  firefox: ['prime256v1', 'secp384r1', 'secp521r1'],
};
const LEAST_RSA_BITS = 2048;
const NEW_KEY = 'Make the certificate anew with an ECDSA key on P-256, or with RSA of 2048 bits';
const WEAK_HASHES = ['SHA-1', 'MD5'];

/**
 * Reasons for which a browser rejects a server's certificates over TCP or QUIC. (Browsers accept a key that is too small from an
 * authority trusted only by the machine.) The limit of 398 days is not checked: public authorities observe it.
 *
 * @param chain DER, leaf first, then any order, as in Chromium
 */
export function certificateProblems(
  chain: readonly Uint8Array[],
  use: CertificateUse,
): CertificateProblem[] {
  const certificates = chain.map(read);
  const [leaf] = certificates;
  if (leaf === undefined) {
    const message = 'the server sent no certificate';
    const remedy = 'Give the server a certificate and its key';
    return [{ code: 'no-certificate', message, remedy }];
  }
  const path = pathFrom(leaf, certificates, use.authorities);
  return [
    nameProblem(leaf, use.host),
    ...path.map((each) => lifetimeProblem(each, use.at)),
    keyProblem(leaf, use.browser ?? 'chromium'),
    ...path.map(signatureProblem),
    ...usageProblems(leaf),
    use.authorities === undefined ? null : trustProblem(path, use.authorities),
  ].filter((problem) => problem !== null);
}

/** The chain from the leaf up to a trusted authority, or to the last issuer found. */
function pathFrom(
  leaf: Certificate,
  sent: readonly Certificate[],
  authorities: readonly string[] = [],
): Certificate[] {
  const path = [leaf];
  for (let last = leaf; !isTrusted(last, authorities); ) {
    const next = sent.find((each) => !path.includes(each) && isSignedBy(last, each));
    if (next === undefined) break;
    path.push(next);
    last = next;
  }
  return path;
}

function read(der: Uint8Array): Certificate {
  return {
    node: new X509Certificate(der),
    parts: new x509.X509Certificate(Uint8Array.from(der)),
  };
}

/** Checks the host against the alternative names; ignores the subject's common name, like Chromium. */
function nameProblem({ node }: Certificate, host: string): CertificateProblem | null {
  const names = node.subjectAltName?.replaceAll('IP Address:', '').replaceAll('DNS:', '');
  const found = isIP(host)
    ? node.checkIP(host)
    : node.checkHost(host, { subject: 'never', partialWildcards: false });
  if (found !== undefined) return null;
  return {
    code: 'other-name',
    message: `the certificate is not for ${host}: it names ${names ?? 'no host (subjectAltName is missing)'}`,
    remedy: `Make it anew with ${host} in its subjectAltName`,
  };
}

function lifetimeProblem(certificate: Certificate, at: Date): CertificateProblem | null {
  const { validFromDate: from, validToDate: to } = certificate.node;
  const which = nameOf(certificate);
  if (at > to) {
    return {
      code: 'expired',
      message: `the certificate of ${which} expired on ${dayOf(to)}`,
      remedy: 'Renew it, and restart the server if it reads certificates only when it starts',
    };
  }
  if (at < from) {
    return {
      code: 'not-yet-valid',
      message: `the certificate of ${which} is not valid before ${from.toISOString()}`,
      remedy: "Wait, or set this machine's clock, if it is that which is wrong",
    };
  }
  return null;
}

function keyProblem({ node }: Certificate, browser: BrowserKind): CertificateProblem | null {
  const { asymmetricKeyType: type = 'unknown', asymmetricKeyDetails = {} } = node.publicKey;
  const { modulusLength = 0, namedCurve = 'unknown' } = asymmetricKeyDetails;
  if (type === 'rsa') {
    if (modulusLength >= LEAST_RSA_BITS) return null;
    return {
      code: 'key-too-small',
      message: `its RSA key has ${modulusLength} bits, and no public authority signs one of fewer than ${LEAST_RSA_BITS}`,
      remedy: NEW_KEY,
    };
  }
  if (type === 'ec' && CURVES[browser].includes(namedCurve)) return null;
  return {
    code: 'key-type',
    message: `${BROWSERS[browser].label} takes no key of this kind: ${type === 'ec' ? `ECDSA on ${namedCurve}` : type}`,
    remedy: NEW_KEY,
  };
}

function signatureProblem(certificate: Certificate, index: number): CertificateProblem | null {
  const { hash } = certificate.parts.signatureAlgorithm as { hash?: { name: string } };
  // A root's self-signature is not checked.
  const isRoot = index > 0 && isSignedBy(certificate, certificate);
  if (isRoot || hash === undefined || !WEAK_HASHES.includes(hash.name)) return null;
  return {
    code: 'weak-signature',
    message: `the certificate of ${nameOf(certificate)} is signed with ${hash.name}`,
    remedy: 'Have it signed anew with SHA-256',
  };
}

function usageProblems({ parts }: Certificate): CertificateProblem[] {
  const { serverAuth } = x509.ExtendedKeyUsage;
  const ANY = '2.5.29.37.0';
  const purposes = parts.getExtension(x509.ExtendedKeyUsageExtension)?.usages;
  const usages = parts.getExtension(x509.KeyUsagesExtension)?.usages;
  const problems: CertificateProblem[] = [];
  if (purposes && !purposes.some((each) => each === serverAuth || each === ANY)) {
    problems.push({
      code: 'not-for-servers',
      message: 'its extended key usage does not have serverAuth',
      remedy: 'Make it anew with extendedKeyUsage=serverAuth',
    });
  }
  if (usages !== undefined && (usages & x509.KeyUsageFlags.digitalSignature) === 0) {
    problems.push({
      code: 'not-for-signing',
      message: 'its key usage does not have digitalSignature, which TLS 1.3 signs with',
      remedy: 'Make it anew with keyUsage=digitalSignature',
    });
  }
  return problems;
}

function trustProblem(
  path: readonly Certificate[],
  authorities: readonly string[],
): CertificateProblem | null {
  const top = path.at(-1);
  if (top === undefined || isTrusted(top, authorities)) return null;
  const count = path.length;
  if (isSignedBy(top, top)) {
    const message =
      count === 1
        ? 'the certificate is self-signed: it is its own authority'
        : `the chain ends with an authority that is not trusted here: ${nameOf(top)}`;
    return { code: count === 1 ? 'self-signed' : 'unknown-authority', message, remedy: TRUST };
  }
  const message = `${nameOf(top)} was signed by ${issuerOf(top)}, which the server did not send and which is not trusted here`;
  const address = top.parts.getExtension(x509.AuthorityInfoAccessExtension)?.caIssuers[0]?.value;
  if (address === undefined) return { code: 'unknown-authority', message, remedy: TRUST };
  return {
    code: 'chain-incomplete',
    message,
    remedy: `Add the certificate that signed it to the server's file (it lies at ${address})`,
  };
}

const TRUST =
  'Use a certificate of a public authority, or have clients trust this one or accept its key';

/** Whether a certificate is an authority of the list, or signed by one. */
function isTrusted({ node }: Certificate, authorities: readonly string[]): boolean {
  return authorities.some((pem) => {
    const authority = new X509Certificate(pem);
    return (
      authority.fingerprint256 === node.fingerprint256 ||
      (node.checkIssued(authority) && node.verify(authority.publicKey))
    );
  });
}

function isSignedBy({ node }: Certificate, { node: other }: Certificate): boolean {
  return node.issuer === other.subject && node.verify(other.publicKey);
}

function nameOf({ node }: Certificate): string {
  return oneLine(node.subject);
}

function issuerOf({ node }: Certificate): string {
  return oneLine(node.issuer);
}

/** A distinguished name in one line; Node puts each part on its own. */
function oneLine(name: string | undefined): string {
  return name ? name.split('\n').join(', ') : 'an unnamed subject';
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
