/** Headers by which a client could claim to be somebody else, in all spellings, and the ways by which they could come in. */

/** Names that belong to the gateway. */
export const FORGED_NAMES: readonly string[] = [
  'x-gateway-identity',
  'X-Gateway-Identity',
  'X-GATEWAY-IDENTITY',
  'x_gateway_identity',
  'X_Gateway_Identity',
  'x-gateway_identity',
  'x_gateway-identity',
  'x-gateway-role',
  'x-gateway',
  'X_GATEWAY',
  'x-consumer-id',
  'X-Consumer-Username',
  'x_consumer_id',
  'X_CONSUMER',
];
/** Credentials in a spelling that a backend of CGI names would take for the genuine one. */
export const FORGED_CREDENTIALS: readonly string[] = ['x_api_key', 'X_Forwarded_For', 'x_request_id'];

/** The value that must not arrive. */
export const FORGED = 'forged';

export interface ForgingWay {
  /** Lines of the head. */
  head(names: readonly string[]): string;
  /** A chunked body's trailers; null: no body. */
  trailers?(names: readonly string[]): string;
}

const lines = (names: readonly string[]) => names.map((name) => `${name}: ${FORGED}\r\n`).join('');
const asTrailers = (names: readonly string[]) => `2\r\n{}\r\n0\r\n${lines(names)}\r\n`;

/** Each sends one name or several. */
export const FORGING_WAYS: Readonly<Record<string, ForgingWay>> = {
  plainly: { head: lines },
  twice: { head: (names) => lines([...names, ...names]) },
  'in both cases': {
    head: (names) =>
      lines([...names.map((name) => name.toLowerCase()), ...names.map((name) => name.toUpperCase())]),
  },
  'named in Connection': {
    head: (names) => `Connection: close, ${names.join(', ')}\r\n${lines(names)}`,
  },
  'named in Connection and absent': { head: (names) => `Connection: ${names.join(', ')}, close\r\n` },
  'in trailers': {
    head: (names) => `Trailer: ${names.join(', ')}\r\nTransfer-Encoding: chunked\r\n`,
    trailers: asTrailers,
  },
  'in trailers unannounced': {
    head: () => 'Transfer-Encoding: chunked\r\n',
    trailers: asTrailers,
  },
};
