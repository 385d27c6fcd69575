import type { WireClose } from '../../ground/records/packets.ts';
import {
  alertName,
  alertOfQuicError,
  HTTP2_ERRORS,
  HTTP3_ERRORS,
  TRANSPORT_ERRORS,
} from '../../ground/records/wire-names.ts';

type Close = Pick<WireClose, 'layer' | 'code' | 'name' | 'isError'>;

/** TLS alert: close_notify and user_canceled end a connection normally (RFC 8446, section 6). */
export function alertClose(code: number): Close {
  return { layer: 'tls', code, name: alertName(code), isError: code !== 0 && code !== 90 };
}

/** CONNECTION_CLOSE of QUIC (RFC 9000, section 20.1); codes from 0x100 contain a TLS alert. */
export function quicClose(code: number): Close {
  const alert = alertOfQuicError(code);
  const name =
    alert === null
      ? (TRANSPORT_ERRORS[code] ?? `error 0x${code.toString(16)}`)
      : `CRYPTO_ERROR (${alertName(alert)})`;
  return { layer: 'quic', code, name, isError: code !== 0 };
}

/** CONNECTION_CLOSE of the application, read as HTTP/3 (RFC 9114, section 8.1; RFC 9204, section 6). */
export function applicationClose(code: number): Close {
  // Some programs send 0 instead of HTTP/3's code for a normal close.
  const name = code === 0 ? 'no error' : (HTTP3_ERRORS[code] ?? `error 0x${code.toString(16)}`);
  return { layer: 'application', code, name, isError: code !== 0x100 && code !== 0 };
}

/** HTTP/2 GOAWAY: the sender accepts no more requests (RFC 9113, sections 6.8 and 7). */
export function goAwayClose(code: number): Close {
  const name = HTTP2_ERRORS[code] ?? `error 0x${code.toString(16)}`;
  return { layer: 'application', code, name: `GOAWAY (${name})`, isError: code !== 0 };
}

/** TCP reset; browsers also use it to end unneeded connections. */
export function resetClose(): Close {
  return { layer: 'tcp', code: 0, name: 'RST', isError: true };
}
