/** A policy as its author sees it: what the gateway gives it, the request that it judges, and how to declare it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { GatewayCaller } from '../../services/shared/access/caller.ts';
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import type { PlansFile } from '../../services/shared/plans/plans.ts';
import type { ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { CounterStore } from '../../services/shared/ports/counter-store.ts';
import type { Metrics } from '../../services/shared/ports/metrics.ts';

/** What the gateway gives every policy, including third-party ones. */
export interface PolicyRuntime {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Create the cells in `create`, so that a request costs only an addition. */
  readonly metrics: Metrics;
  /** Counters that all processes share. */
  readonly counters: CounterStore;
  /** The plans and limits of plans.yml. */
  readonly plans: PlansFile;
  /** Runs when the gateway closes, and when a reload replaces this configuration: stop pools and timers here. */
  onClose(close: () => Promise<void> | void): void;
}

/** What is known about the current request. */
export interface PolicyContext {
  readonly runtime: PolicyRuntime;
  /** The value of the header X-Request-Id in the answer. */
  readonly requestId: string;
  /** When its headers were parsed, by `performance.now()`. */
  readonly startedAtMs: number;
  /** The rule of its endpoint. */
  readonly endpoint: Endpoint;
  /** Who asks; null before the policy `auth`, and while the credential is refused. */
  readonly principal: { readonly caller: GatewayCaller } | null;
  /** The client's address; only trusted proxies may state another one. */
  readonly address: string;
  /** Bytes of the query string, without its question mark. */
  readonly queryBytes: number;
  /** The whole body, when the policy `body` read it. */
  readonly body: Buffer | null;
  /** The first fault found before the rate-limit decision, which answers it. */
  readonly refusal: ApiError | null;
  /** Adds a header to the answer, whoever makes it. */
  addHeader(name: string, value: string): void;
  /** Records the first fault; a later one does not replace it. The request continues to be counted, then this is answered. */
  refuse(error: ApiError): void;
}

/** A request at a policy. */
export interface PolicyRequest extends IncomingMessage {
  readonly context: PolicyContext;
  url: string;
  method: string;
}

/** Hands the request to the next policy; with an error, to the error answer. */
export type Next = (error?: unknown) => void;

/** A running policy: answers, or calls `next` once. A rejected promise becomes the error answer. */
export type PolicyFunction = (req: PolicyRequest, res: ServerResponse, next: Next) => void | Promise<void>;

/** Where a step stands, and what of the configuration its parameters may name. */
export interface StepPlace {
  /** The names of the price plans. */
  readonly plans: readonly string[];
  /** The names of the scopes in force. */
  readonly scopes: readonly string[];
  readonly services: ReadonlyMap<string, ServiceEndpoint>;
  /** The service that the proxy of its pipeline calls; null: the gateway answers, or the file names none. */
  readonly service: string | null;
  /** The policies of its pipeline that run before it. */
  readonly before: readonly string[];
  /** The policies of its pipeline that run behind it, the one that answers last. */
  readonly after: readonly string[];
  /** Whether bodies were read whole, and inflated, when a judged request comes to it. */
  readonly readsBodies: boolean;
  /** The endpoints of its pipeline. */
  readonly endpoints: readonly StepEndpoint[];
  /** Whether any request of its pipeline may run on express in place of the dispatch table, also because of another endpoint at its paths. */
  readonly isOnExpress: boolean;
}

/** An endpoint of the pipeline of a step. */
export interface StepEndpoint {
  readonly name: string;
  /** Empty where a regular expression stands in their place. */
  readonly paths: readonly string[];
  /** Null: every method. */
  readonly methods: readonly string[] | null;
  readonly access: Endpoint['access'];
  /** Those that it requires; none where its access asks for none. */
  readonly scopes: readonly string[];
  readonly cors: Endpoint['cors'];
}

/** A fault that the schema alone does not see. */
export interface ParameterFault {
  /** Where in the parameters; empty for the step as a whole. */
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** The name that is none, where it is no value but a key. */
  readonly came?: string;
  readonly allowed?: readonly string[];
}

/** A file or folder that a policy reads when it is created. */
export interface ReadPath {
  /** Where in the parameters it is named. */
  readonly path: readonly (string | number)[];
  /** Its absolute path. */
  readonly location: string;
  /** What should be there, in words, for faults. */
  readonly expected: string;
  /** Says what is wrong with what is there, a text for each fault; absent: it is enough that it can be read. */
  judge?(): readonly string[];
}

/** A policy as a plugin declares it. */
export interface PolicyDefinition<Params = unknown> {
  /** Its name in the YAML. */
  readonly name: string;
  /** The schema of its `action`: a strict object, every field described. */
  readonly schema: z.ZodType<Params>;
  /** It protects, so `check` refuses a condition: one that does not hold would skip it. Absent: it may have one. */
  readonly unconditional?: true;
  /** Judges parameters that passed the schema by the rest of the configuration; absent: the schema is all. */
  check?(params: Params, place: StepPlace): readonly ParameterFault[];
  /** Says in a few words what it does with a request for this path; absent: the parameters say it. */
  explain?(params: Params, path: string): string;
  /** Names what it reads from disk, which is looked at before any store is opened, and again at each reload; absent: nothing. */
  reads?(params: Params): readonly ReadPath[];
  /** Makes the request function once per distinct parameters; throws when they cannot work. */
  create(params: Params, runtime: PolicyRuntime): PolicyFunction;
}

/** Declares a policy, with its parameter type inferred from the schema. It gets what its type says, and no more. */
export function definePolicy<Params>(definition: PolicyDefinition<Params>): PolicyDefinition {
  return {
    ...(definition as PolicyDefinition),
    create: (params, runtime) => definition.create(params as Params, policyRuntimeOf(runtime)),
  };
}

const known = new WeakMap<PolicyRuntime, PolicyRuntime>();

/** The part of a gateway's runtime for every policy, without its stores, keys and secrets: the same object each time. */
export function policyRuntimeOf(whole: PolicyRuntime): PolicyRuntime {
  let part = known.get(whole);
  if (part === undefined) {
    const { logger, clock, metrics, counters, plans } = whole;
    part = Object.freeze<PolicyRuntime>({
      ...{ logger, clock, metrics, counters, plans },
      onClose: (close) => whole.onClose(close),
    });
    known.set(whole, part);
    // If it already is that part, it is returned unchanged.
    known.set(part, part);
  }
  return part;
}
