/** The checked configuration as the gateway uses it: every name resolved, every default filled in, nothing left to doubt. */
import type { Scope } from '../../services/shared/access/scopes.ts';
import type { Role } from '../../services/shared/model/user.ts';
import type { Endpoint, EndpointClass } from '../../services/shared/plugin/endpoint.ts';
import type { PlansFile } from '../../services/shared/plugin/plans.ts';
import type { ServiceEndpoint } from '../../services/shared/plugin/service-endpoint.ts';

/** Methods that an endpoint may name. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

/** An apiEndpoint. */
export interface ApiEndpoint {
  readonly name: string;
  /** Exact, with `:param` segments, or with a trailing `/*`; empty when `pathRegex` stands instead. */
  readonly paths: readonly string[];
  /** Source of a regular expression that parameters match whole; what has another form, or another method, is an unknown path. */
  readonly parameterPattern?: string;
  /** Null answers every method. */
  readonly methods: readonly Method[] | null;
  /** As in {@link Endpoint}. */
  readonly access: Endpoint['access'];
  /** Not empty when `access` is session. */
  readonly roles: readonly Role[];
  /** Empty when public. */
  readonly scopes: readonly Scope[];
  /** As in {@link Endpoint}. */
  readonly scopesUnder?: Endpoint['scopesUnder'];
  readonly class: EndpointClass;
  /** As in {@link Endpoint}, all of them. */
  readonly limits: Endpoint['limits'];
  readonly cost: Endpoint['cost'];
  readonly cors: Endpoint['cors'];
  readonly endedSession: Endpoint['endedSession'];
  /** Exact host, or null. With one of these three the endpoint runs on express, not in the dispatch table. */
  readonly host: string | null;
  readonly hostRegex: string | null;
  readonly pathRegex: string | null;
  /** The pipeline that answers it. */
  readonly pipeline: string;
}

/** A condition of EG: its name and parameters, checked. */
export type Condition = Readonly<Record<string, unknown>> & { readonly name: string };

/** One policy at work in a pipeline. */
export interface PipelineStep {
  readonly policy: string;
  readonly condition: Condition | null;
  /** As written; `{}` when absent. */
  readonly action: Readonly<Record<string, unknown>>;
  /** What the policy makes of `action`: defaults filled in. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Pipeline {
  readonly name: string;
  /** Names of its apiEndpoints. */
  readonly endpoints: readonly string[];
  /** In order; the last one answers. */
  readonly steps: readonly PipelineStep[];
}

/** A plugin of system.config.yml. */
export interface PluginEntry {
  readonly name: string;
  /** Absolute path of its manifest. */
  readonly package: string;
  /** Names of the policies that it provides. */
  readonly policies: readonly string[];
}

/** The files as express-gateway wants to see them, variables replaced, so that nobody reads or substitutes twice. */
export interface ConfigurationDocuments {
  readonly gateway: Readonly<Record<string, unknown>>;
  readonly system: Readonly<Record<string, unknown>>;
  readonly models: Readonly<
    Record<'users' | 'credentials' | 'applications', Readonly<Record<string, unknown>>>
  >;
}

export interface Configuration {
  /** Where it was read from, absolute. */
  readonly directory: string;
  /** In the order of the file: the first that matches answers, and no other order changes that. */
  readonly endpoints: readonly ApiEndpoint[];
  readonly serviceEndpoints: Readonly<Record<string, ServiceEndpoint>>;
  /** Names of the policies in use. */
  readonly policies: readonly string[];
  readonly pipelines: readonly Pipeline[];
  readonly plugins: readonly PluginEntry[];
  readonly plans: PlansFile;
  readonly documents: ConfigurationDocuments;
}
