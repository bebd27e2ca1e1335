/** What the policies of one request hand to each other: one fixed-shape object on the request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../access/principal.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { ShownLimit } from '../rate-limit/shown-limit.ts';
import type { Endpoint } from './endpoint.ts';
import type { GatewayRuntime } from './runtime.ts';

/**
 * Inflates a body that was read whole. The rate-limit policy asks for it once the request may be admitted, so that nothing
 * is spent on one that is refused whatever it holds. `isWanted` is asked when a turn has come, which may take a while: false
 * comes back when it said no. True: `body` is plain now, or the context carries a refusal. Rejects with the 503 of too many.
 */
export type InflateBody = (isWanted: () => boolean) => Promise<boolean>;

export class RequestContext {
  readonly runtime: GatewayRuntime;
  readonly requestId: string;
  /** When its headers were parsed, by `performance.now()`. */
  readonly startedAtMs = performance.now();
  /** The rule that applies. */
  endpoint: Endpoint;
  /** Who asks; null until the auth policy ran, and while its credential is refused. */
  principal: Principal | null = null;
  /** Judges the credential again, for a request that waited for its body; null while no credential decides. */
  judge: PolicyHandler | null = null;
  /** The session whose refresh token came, read without a store; limits per session count it where nobody is known. */
  sessionFamily: string | null = null;
  /** The first fault found before the rate-limit decision; that decision is charged, then this is answered. */
  refusal: ApiError | null = null;
  /** The whole body, when the body policy read it. */
  body: Buffer | null = null;
  /** Puts the whole body on `body` when it came compressed; null when it did not, and once it was inflated. */
  inflate: InflateBody | null = null;
  /** Whether `body` came compressed and was inflated: its Content-Encoding no longer says what it is. */
  isInflated = false;
  /** Most bytes of a body that streams to the service; null when the body policy did not judge one. */
  streamLimit: number | null = null;
  /** Whether the headers that every response carries were added. */
  hasCommonHeaders = false;
  /** The limit that the headers show; null until the decision. */
  shownLimit: ShownLimit | null = null;
  /** Headers that go with whatever answers, as name, value, name, value: CORS, cookies; null for none. */
  addedHeaders: string[] | null = null;
  #address: string | null = null;
  readonly #req: IncomingMessage;

  constructor(runtime: GatewayRuntime, requestId: string, endpoint: Endpoint, req: IncomingMessage) {
    this.runtime = runtime;
    this.requestId = requestId;
    this.endpoint = endpoint;
    this.#req = req;
  }

  /** The client's address, seen through trusted proxies only. Worked out when first asked. */
  get address(): string {
    this.#address ??= this.runtime.addressOf(this.#req);
    return this.#address;
  }

  /** Adds a header to whatever answers. */
  addHeader(name: string, value: string): void {
    this.addedHeaders ??= [];
    this.addedHeaders.push(name, value);
  }

  /** Records the first fault; a later one does not replace it. */
  refuse(error: ApiError): void {
    this.refusal ??= error;
  }

  /**
   * Takes an error that a policy gave to `next`: before the rate-limit decision a fault of the client is a refusal like
   * any other, so that it is counted first. False: it must be answered now.
   */
  takesAsRefusal(error: ApiError): boolean {
    if (this.shownLimit !== null || error.status >= 500) return false;
    this.refuse(error);
    return true;
  }
}

/** A request inside the gateway. */
export interface GatewayRequest extends IncomingMessage {
  context: RequestContext;
  url: string;
  method: string;
}

export type GatewayResponse = ServerResponse;

/** Hands the request to the next policy; with an error, to the error answer. */
export type Next = (error?: unknown) => void;

/** A policy at work: decides, then answers or calls `next`. A rejected promise becomes the error answer. */
export type PolicyHandler = (req: GatewayRequest, res: GatewayResponse, next: Next) => void | Promise<void>;
