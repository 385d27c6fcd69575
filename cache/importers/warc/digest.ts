const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS = new Map<string, number>(
  Object.entries({ md5: 128, sha1: 160, sha256: 256, sha512: 512 }),
);

/**
 * A digest in one form, whichever a program wrote: `sha256:` or `SHA-256:`, in hexadecimal or base32. What is neither stays as
 * it is.
 */
export function plainDigest(written: string): string {
  const [, label = '', digits = ''] = /^([^:]{0,20}):(.*)$/s.exec(written.trim()) ?? [];
  const algorithm = label.toLowerCase().replaceAll('-', '');
  const bits = BITS.get(algorithm);
  const value = digits.replace(/(?<!=)=+$/, '');
  if (bits === undefined) return written;
  if (value.length === bits / 4) return `${algorithm}:${value.toLowerCase()}`;
  return value.length === Math.ceil(bits / 5) ? `${algorithm}:${hexOf(value, bits)}` : written;
}

function hexOf(base32: string, bits: number): string {
  const digits = Array.from(base32.toUpperCase(), (digit) =>
    BASE32.indexOf(digit).toString(2).padStart(5, '0'),
  );
  const hex = digits.join('').slice(0, bits).match(/.{4}/g) ?? [];
  return hex.map((four) => Number.parseInt(four, 2).toString(16)).join('');
}
