/**
 * The groups to offer, the first one with a key. The same by all ways: by default Bun's TLS begins with a post-quantum one, which makes its
 * first message five times as long, and its QUIC has none.
 */
export const GROUPS = 'X25519:P-256:P-384';
