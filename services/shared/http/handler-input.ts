/** What a handler gets of a request; its body is set once it is parsed. */
import type { GrantedCaller } from '../access/grant.ts';
import type { RouteInput } from './route.ts';
import type { ServiceRequest } from './service-exchange.ts';

/** What a handler gets, known before its body is parsed. */
type KnownInput = Pick<
  RouteInput<unknown, unknown>,
  'caller' | 'query' | 'params' | 'requestId' | 'accepts' | 'receivedBytes' | 'beginsWork'
>;

/**
 * A class, not an object with a getter: V8 gives each such object a shape of its own, and keeps it in the old space with all
 * that the getter sees. So nothing of a request left the memory before the next full collection.
 */
export class HandlerInput implements RouteInput<unknown, unknown> {
  readonly method: string;
  readonly headers: ServiceRequest['headers'];
  readonly caller: GrantedCaller;
  readonly query: unknown;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly accepts: (types: readonly string[]) => string | false;
  readonly receivedBytes: number;
  readonly beginsWork: () => void;
  body: unknown = undefined;
  readonly #request: ServiceRequest;

  constructor(request: ServiceRequest, known: KnownInput) {
    this.method = request.method;
    this.headers = request.headers;
    this.caller = known.caller;
    this.query = known.query;
    this.params = known.params;
    this.requestId = known.requestId;
    this.accepts = known.accepts;
    this.receivedBytes = known.receivedBytes;
    this.beginsWork = known.beginsWork;
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}
