/** What the policies of one request pass to each other: one object of fixed shape on the request. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '../../services/shared/access/principal.ts';
import type { PasswordPlace } from '../../services/shared/credentials/password-hasher.ts';
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import type { ParsedBody } from '../../services/shared/http/parsed-body.ts';
import { pathOf } from '../../services/shared/http/query-string.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import type { Span } from '../../services/shared/ports/tracer.ts';
import type { ClientUpgrade } from './client-upgrade.ts';
import type { HeaderEdit } from './header-edits.ts';
import { hideCredentials } from './hidden-credentials.ts';
import type { AnswerRecorder, KeptAnswer } from './kept-answer.ts';
import {
  type Next,
  type PolicyContext,
  type PolicyRequest,
  type PolicyRuntime,
  policyRuntimeOf,
} from './policy.ts';
import type { GatewayRuntime } from './runtime.ts';
import type { ShownLimit } from './shown-limit.ts';

/**
 * Inflates a body that was read whole. The rate-limit policy calls it once the request may be admitted, so that nothing
 * is spent on a request that is refused anyway. `isWanted` is called when a turn has come, which may take a while; if it
 * says no, the result is false. True: `body` is plain now, or the context carries a refusal. Rejects with 503 when too
 * many wait.
 */
export type InflateBody = (isWanted: () => boolean) => Promise<boolean>;

export class RequestContext implements PolicyContext {
  readonly requestId: string;
  /** When its headers were parsed, by `performance.now()`. */
  readonly startedAtMs = performance.now();
  /** The rule of its endpoint. */
  endpoint: Endpoint;
  /** Who asks; null until the auth policy ran, and while the credential is refused. */
  principal: Principal | null = null;
  /** Judges the credential again, for a request that waited for its body; null if no credential decides. */
  judge: PolicyHandler | null = null;
  /**
   * Judged again for a connection that stays open: the verdict is then less than half as old as it may be, and an access
   * cookie counts for as long as its session lives, since nobody can renew it there.
   */
  isStanding = false;
  /** The session of the refresh token, read without a store; limits per session count it for anonymous callers. */
  sessionFamily: string | null = null;
  /** The place for its passwords, taken before the decision, since a shed request counts nowhere. Null: it checks none. */
  passwordPlace: PasswordPlace | null = null;
  /** The first fault found before the rate-limit decision; that decision is charged, then this is answered. */
  refusal: ApiError | null = null;
  /** The whole body, when the body policy read it. */
  body: Buffer | null = null;
  /** What `body` holds, once somebody parsed it. */
  parsedBody: ParsedBody | null = null;
  /** Decodes a compressed body into `body`; null if it was not compressed, and once it is decoded. */
  inflate: InflateBody | null = null;
  /** Whether `body` was compressed and is now inflated: its Content-Encoding no longer applies. */
  isInflated = false;
  /** How many bytes a body that streams to the service may have; null when the body policy did not judge one. */
  streamLimit: number | null = null;
  /** Whether an error ends the connection and leaves the rest of the body unread, since reading it would cost too much. */
  leavesBodyUnread = false;
  /** Whether the headers of every response were added. */
  hasCommonHeaders = false;
  /** The limit that the headers show; null until the decision. */
  shownLimit: ShownLimit | null = null;
  /** Charges the milliseconds that the work of the request ran; null where nothing is charged by time. Called once. */
  chargeRunning: ((milliseconds: number) => void) | null = null;
  /** Headers for whatever answer is sent, as name, value, name, value: CORS, cookies; null for none. */
  addedHeaders: string[] | null = null;
  /** Changes to the headers that the service gets, in the order of the pipeline; null for none. */
  requestEdits: readonly HeaderEdit[] | null = null;
  /** Changes to the headers of the service's answer, likewise. */
  answerEdits: readonly HeaderEdit[] | null = null;
  /** The path and query string that the service gets; null: those that came. */
  target: string | null = null;
  /** The serviceEndpoint that answers in place of the one that `proxy` names; null: that one. */
  backend: string | null = null;
  /** The headers as policies of third parties found them; null where none runs. */
  headersBefore: IncomingHttpHeaders | null = null;
  /** Credentials for the backend that policies of third parties set, as name, value, name, value. */
  ownCredentials: readonly string[] = [];
  /** Told what the backend answers; null: nobody is. */
  recorder: AnswerRecorder | null = null;
  /** A kept answer, which the proxy sends in place of asking the backend; null: it asks. */
  replay: KeptAnswer | null = null;
  /** Besides a kept answer: told what the backend answers now, for which nobody waits. */
  renewal: AnswerRecorder | null = null;
  /** The WebSocket that the client asks for; null for any other request. */
  upgrade: ClientUpgrade | null = null;
  /** What the answer depends on: flags of `VARIES`, added by whoever finds out. */
  varies = 0;
  /** Whether the answer is for one client alone although its endpoint admits anybody, such as that of a login. */
  isPrivate = false;
  /** The error that the gateway answered with; null for other answers. For the access log, as the next five. */
  answered: ApiError | null = null;
  /** The origin that the request was sent to last; null: to none. */
  upstream: string | null = null;
  /** When it was sent first, and when that exchange ended, by `performance.now()`; 0: not yet. */
  upstreamSinceMs = 0;
  upstreamUntilMs = 0;
  retries = 0;
  /** Where tracing is on and the request is sampled: its span, that of the policy at work, and that of the backend's answer. */
  span: Span | null = null;
  policySpan: Span | null = null;
  upstreamSpan: Span | null = null;
  /** What the connection had carried to the client before this request; 0 where nobody asks. */
  bytesBefore = 0;
  #address: string | null = null;
  readonly #gateway: GatewayRuntime;
  readonly #req: IncomingMessage;

  constructor(gateway: GatewayRuntime, requestId: string, endpoint: Endpoint, req: IncomingMessage) {
    this.#gateway = gateway;
    this.requestId = requestId;
    this.endpoint = endpoint;
    this.#req = req;
  }

  /** Whether its answer ends the connection, since the gateway is closing and no other answer follows there. */
  get endsConnection(): boolean {
    return this.#gateway.isDraining() && (this.#req as Partial<GatewayRequest>).isFollowed !== true;
  }

  /** The whole runtime, for the gateway's own policies; not a field, so that logging a context logs no key. */
  get gateway(): GatewayRuntime {
    return this.#gateway;
  }

  /** The part of the runtime for every policy. */
  get runtime(): PolicyRuntime {
    return policyRuntimeOf(this.#gateway);
  }

  /** The client's address; only trusted proxies may state another one. Computed on first use. */
  get address(): string {
    this.#address ??= this.#gateway.addressOf(this.#req);
    return this.#address;
  }

  /** Bytes of the query string, without its question mark. */
  get queryBytes(): number {
    const { url = '' } = this.#req;
    const start = url.indexOf('?');
    return start === -1 ? 0 : url.length - start - 1;
  }

  /** A segment of the path as it came, from 0; empty when there is none. Letters and digits have one spelling there. */
  pathSegment(index: number): string {
    const { url = '' } = this.#req;
    return pathOf(url).split('/')[index + 1] ?? '';
  }

  /** A header of the request, by its name in lower case; several lines are joined. Null: it is absent or empty. */
  requestHeader(name: string): string | null {
    const value = this.#req.headers[name];
    const text = (Array.isArray(value) ? value.join(', ') : (value ?? '')).trim();
    return text === '' ? null : text;
  }

  /** Hides the client's credentials from a policy of a third party, until it calls the returned function in place of `next`. */
  hideCredentials(next: Next): Next {
    const show = hideCredentials(this.#req, this.ownCredentials);
    let isOver = false;
    return (...parameters) => {
      if (!isOver) this.ownCredentials = show();
      isOver = true;
      next(...parameters);
    };
  }

  /** Adds a header to the answer, whoever makes it. */
  addHeader(name: string, value: string): void {
    this.addedHeaders ??= [];
    this.addedHeaders.push(name, value);
  }

  /** Records the first fault; a later one does not replace it. */
  refuse(error: ApiError): void {
    this.refusal ??= error;
  }

  /**
   * Takes an error that a policy passed to `next`: before the rate-limit decision a client's fault is a refusal like any
   * other, so that it is counted first. False: it must be answered now.
   */
  takesAsRefusal(error: ApiError): boolean {
    if (this.shownLimit !== null || error.status >= 500) return false;
    this.refuse(error);
    return true;
  }
}

/** A request inside the gateway, with everything that its policies pass to each other. */
export interface GatewayRequest extends PolicyRequest {
  context: RequestContext;
  /** Whether another request came behind it on its connection before it was answered. Absent: none did. */
  isFollowed?: boolean;
}

export type GatewayResponse = ServerResponse;

export type { Next } from './policy.ts';

/** A running policy of the platform's own, over the whole context. */
export type PolicyHandler = (req: GatewayRequest, res: GatewayResponse, next: Next) => void | Promise<void>;
