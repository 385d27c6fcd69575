import * as x509 from './x509.ts';

/** A certificate authority that signs the leaves of all hosts. */
export interface Authority {
  /** Signs leaves. */
  issuer: x509.X509Certificate;
  issuerKeys: CryptoKeyPair;
  /** What links the issuer to a root that everybody has. */
  above: x509.X509Certificate[];
}

/** Certificates of one size: an authority and the leaves that it signs. */
export interface ChainKind {
  /** Key type of the authority and of every leaf. */
  algorithm: (EcKeyGenParams | RsaHashedKeyGenParams) & { hash: string };
  /** Name of the authority's files, without extension. */
  fileName: string;
  /** Whether a server sends the authority's certificates after its leaf. */
  isAuthoritySent: boolean;
  makeAuthority(): Promise<Authority>;
  /** What a leaf of these hosts carries. */
  leafExtensions(
    hosts: readonly string[],
    publicKey: CryptoKey,
    authority: Authority,
  ): Promise<x509.Extension[]>;
}

/** New keys of a chain's kind. */
export function newKeys(algorithm: ChainKind['algorithm']): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

/** Names a leaf's hosts. */
export function namesOf(hosts: readonly string[]): x509.Extension {
  return new x509.SubjectAlternativeNameExtension(
    hosts.map((value) => ({ type: 'dns' as const, value })),
  );
}
