/** What a line of the access log says of a request: names of the configuration, ids and numbers, never what the client sent. */
import type { ServerResponse } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { AddressForm } from '../../../config/log-settings.ts';
import type { GatewayRequest } from '../../../plugins/kit/request-context.ts';
import type { RefusedLimit } from '../../../services/shared/errors/api-error.ts';
import { ERRORS } from '../../../services/shared/errors/catalogue.ts';

/** One request; docs/access-log.md describes each field. */
export interface AccessEntry {
  /** When its headers were parsed, in ISO 8601. */
  readonly time: string;
  readonly requestId: string;
  /** Its name in the configuration, or `gateway`. */
  readonly endpoint: string;
  readonly method: string;
  /** The path as the configuration writes it; null: it has none. */
  readonly path: string | null;
  /** 0: the client left before the answer was complete. */
  readonly status: number;
  /** The code of an error, as in its body; null: none is known. */
  readonly code: string | null;
  /** Who refused it: the gateway or the service; null below 400. */
  readonly refusedBy: 'gateway' | 'upstream' | null;
  readonly limit: RefusedLimit | null;
  readonly organization: string | null;
  readonly key: string | null;
  readonly user: string | null;
  /** Cut short, and never whole; null: ACCESS_LOG_ADDRESS is off. */
  readonly address: string | null;
  /** Bytes of the request's body as announced; null: unknown. */
  readonly bytesIn: number | null;
  /** Bytes of the answer with its headers; null: nobody measured. */
  readonly bytesOut: number | null;
  /** The origin of the service that was asked last; null: none was. */
  readonly upstream: string | null;
  readonly retries: number;
  /** Milliseconds: in the gateway, at the service, and in all. */
  readonly gatewayMs: number;
  readonly upstreamMs: number;
  readonly wholeMs: number;
}

/** A request that ended. */
export interface EndedRequest {
  readonly req: GatewayRequest;
  readonly res: ServerResponse;
  /** 0: the client left. */
  readonly status: number;
  readonly path: string | null;
  /** By `performance.now()`. */
  readonly endedAtMs: number;
}

/** The reason phrases of errors are codes, also those of services; of any other phrase nothing is repeated. */
const CODES: ReadonlySet<string> = new Set(Object.values(ERRORS).map(({ code }) => code));

const WHOLE = /^\d{1,15}$/;

export function accessEntry(
  { req, res, status, path, endedAtMs }: EndedRequest,
  addressForm: AddressForm,
  measuresBytes: boolean,
): AccessEntry {
  const { context } = req;
  const caller = context.principal?.caller;
  const wholeMs = endedAtMs - context.startedAtMs;
  const { answered, upstreamSinceMs: since } = context;
  const until = context.upstreamUntilMs > since ? context.upstreamUntilMs : endedAtMs;
  const upstreamMs = since === 0 ? 0 : Math.min(until - since, wholeMs);
  const length = req.headers['content-length'] ?? '';
  const asKey = caller?.kind === 'key';
  return {
    time: new Date(performance.timeOrigin + context.startedAtMs).toISOString(),
    requestId: context.requestId,
    endpoint: context.endpoint.name,
    method: req.method,
    path,
    status,
    code: answered?.code ?? (CODES.has(res.statusMessage) ? res.statusMessage : null),
    refusedBy: status < 400 ? null : answered === null && context.upstream !== null ? 'upstream' : 'gateway',
    limit: answered?.limit ?? null,
    organization: caller?.organizationId ?? null,
    key: asKey ? caller.id : null,
    user: asKey ? null : (caller?.userId ?? null),
    address: addressForm === 'none' ? null : truncated(context.address),
    bytesIn: WHOLE.test(length) ? Number(length) : (context.body?.length ?? null),
    bytesOut: measuresBytes ? Math.max(0, req.socket.bytesWritten - context.bytesBefore) : null,
    upstream: context.upstream,
    retries: context.retries,
    gatewayMs: rounded(wholeMs - upstreamMs),
    upstreamMs: rounded(upstreamMs),
    wholeMs: rounded(wholeMs),
  };
}

/** To the microsecond. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

const IPV4_BITS = 24;
const IPV6_GROUPS = 3;

/** The network of an address: of an IPv4 its /24, of an IPv6 its /48; null for what is no address. */
export function truncated(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return `${parsed.toString().replace(/\d+$/, '0')}/${IPV4_BITS}`;
  const network = (parsed as ipaddr.IPv6).parts.slice(0, IPV6_GROUPS).map((part) => part.toString(16));
  return `${network.join(':')}::/48`;
}
