/** Whether a text is an IPv4 address. Reports open no connections and must not load node:net. */
export function isIPv4(text: string): boolean {
  const parts = text.split('.');
  return (
    parts.length === 4 &&
    parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}

/** Whether a text is an IPv6 address, without brackets (RFC 4291, section 2.2); a zone may follow (RFC 4007). */
export function isIPv6(text: string): boolean {
  const [address = '', zone, ...rest] = text.split('%');
  if (rest.length > 0 || zone === '') return false;
  return /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]/`);
}

export function isAddress(text: string): boolean {
  return isIPv4(text) || isIPv6(text);
}
