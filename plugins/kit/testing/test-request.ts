/** A request as a test writes it, and the answer that it gets. */
import type { GatewayCaller } from '../../../services/shared/access/caller.ts';
import type { Endpoint } from '../../../services/shared/plans/endpoint.ts';

/** All fields are optional: by default an anonymous caller sends GET / to an endpoint that requires read:data. */
export interface TestRequest {
  readonly method?: string;
  /** Path and query string. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly body?: string | Buffer;
  /** Whether the policy `body` has read it: then it is on `req.context.body`. */
  readonly bodyWasRead?: boolean;
  /** The caller that the policy `auth` identified; missing fields are those of an organization's key. Null: anonymous. */
  readonly caller?: Partial<GatewayCaller> | null;
  /** Its rule, where it matters. */
  readonly endpoint?: Partial<Endpoint>;
}

/** The result of a request. */
export interface TestAnswer {
  /** Whether the last policy passed the request on and nothing was refused. The answer is then 200 with `{}`. */
  readonly passed: boolean;
  readonly status: number;
  /** The code of an error, such as VALIDATION_ERROR; null for any other answer. */
  readonly code: string | null;
  readonly headers: Headers;
  readonly text: string;
  /** The text parsed as JSON; null when it is not JSON. */
  readonly json: unknown;
}

/** A key of an organization on the plan `free`, with every website and without scopes. */
const KEY: GatewayCaller = {
  id: 'key_test',
  kind: 'key',
  organizationId: 'org_test',
  userId: null,
  role: null,
  plan: 'free',
  scopes: [],
  access: { level: 'global' },
};

const SCOPED: Endpoint = {
  name: 'test',
  access: 'scoped',
  roles: [],
  scopes: ['read:data'],
  class: 'other',
  limits: [],
  cost: 'request',
  countedList: null,
  cors: 'own',
  endedSession: 'refused',
  allow: null,
};

export function callerOf({ caller = null }: TestRequest): GatewayCaller | null {
  return caller === null ? null : ({ ...KEY, ...caller } as GatewayCaller);
}

/** An endpoint that requires read:data, unless stated otherwise. */
export function testEndpoint(own: Partial<Endpoint> = {}): Endpoint {
  return { ...SCOPED, ...own };
}
