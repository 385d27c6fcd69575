import type { WireClose } from '../../ground/records/packets.ts';
import {
  alertName,
  alertOfQuicError,
  HTTP2_ERRORS,
  HTTP3_ERRORS,
  TRANSPORT_ERRORS,
} from '../../ground/records/wire-names.ts';

type Close = Pick<WireClose, 'layer' | 'code' | 'name' | 'isError'>;

/** An alert of TLS: close_notify and user_canceled end a connection in good order (RFC 8446, section 6). */
export function alertClose(code: number): Close {
  return { layer: 'tls', code, name: alertName(code), isError: code !== 0 && code !== 90 };
}

/** CONNECTION_CLOSE of QUIC itself (RFC 9000, section 20.1); from 0x100 on the code holds an alert of TLS. */
export function quicClose(code: number): Close {
  const alert = alertOfQuicError(code);
  const name =
    alert === null
      ? (TRANSPORT_ERRORS[code] ?? `error 0x${code.toString(16)}`)
      : `CRYPTO_ERROR (${alertName(alert)})`;
  return { layer: 'quic', code, name, isError: code !== 0 };
}

/** CONNECTION_CLOSE of what QUIC carries, which is taken for HTTP/3 (RFC 9114, section 8.1; RFC 9204, section 6). */
export function applicationClose(code: number): Close {
  // Some programs send 0 where HTTP/3 has a code of its own for a close in good order.
  const name = code === 0 ? 'no error' : (HTTP3_ERRORS[code] ?? `error 0x${code.toString(16)}`);
  return { layer: 'application', code, name, isError: code !== 0x100 && code !== 0 };
}

/** GOAWAY of HTTP/2, by which a side says that it takes no more requests, and why (RFC 9113, sections 6.8 and 7). */
export function goAwayClose(code: number): Close {
  const name = HTTP2_ERRORS[code] ?? `error 0x${code.toString(16)}`;
  return { layer: 'application', code, name: `GOAWAY (${name})`, isError: code !== 0 };
}

/** A reset of TCP: also how a browser ends a connection that it needs no longer. */
export function resetClose(): Close {
  return { layer: 'tcp', code: 0, name: 'RST', isError: true };
}
