/** The checked configuration as the gateway uses it: every name resolved, every default filled in. */
import type { SecureContextOptions } from 'node:tls';
import type { PolicyDefinition } from '../../plugins/kit/policy.ts';
import type { ScopeCatalogue } from '../../services/shared/access/scope-catalogue.ts';
import type { Scope } from '../../services/shared/access/scopes.ts';
import type { Role } from '../../services/shared/model/user.ts';
import type { Endpoint, EndpointClass } from '../../services/shared/plans/endpoint.ts';
import type { PlansFile } from '../../services/shared/plans/plans.ts';
import type { ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import type { BackendDocument } from './backend-document.ts';
import type { Fault } from './faults.ts';
import type { PathRewriter } from './loaded-plugins.ts';
import type { FileLine } from './place.ts';
import type { SecretTexts } from './secret-texts.ts';
import type { UsedVariable } from './variables.ts';

/** Methods that an endpoint may name. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
export type Method = (typeof METHODS)[number];

/** An apiEndpoint. */
export interface ApiEndpoint {
  readonly name: string;
  /** Where it stands: as its files were when they were read. */
  readonly place: FileLine;
  /** Exact, with `:param` segments, or with a trailing `/*`; empty when `pathRegex` is used instead. */
  readonly paths: readonly string[];
  /** Source of a regular expression that must match each whole parameter; any other form or method is an unknown path. */
  readonly parameterPattern?: string;
  /** Null answers every method. */
  readonly methods: readonly Method[] | null;
  /** As in {@link Endpoint}. */
  readonly access: Endpoint['access'];
  /** Not empty when `access` is session. */
  readonly roles: readonly Role[];
  /** As in {@link Endpoint}. */
  readonly operators?: Endpoint['operators'];
  /** Empty when public. */
  readonly scopes: readonly Scope[];
  /** As in {@link Endpoint}. */
  readonly scopesUnder?: Endpoint['scopesUnder'];
  readonly class: EndpointClass;
  /** As in {@link Endpoint}, all of them. */
  readonly limits: Endpoint['limits'];
  readonly plan?: Endpoint['plan'];
  readonly cost: Endpoint['cost'];
  readonly countedList: Endpoint['countedList'];
  readonly cors: Endpoint['cors'];
  readonly endedSession: Endpoint['endedSession'];
  readonly origin?: Endpoint['origin'];
  /** Exact host, or null. With any of these three the endpoint runs on express, not in the dispatch table. */
  readonly host: string | null;
  readonly hostRegex: string | null;
  readonly pathRegex: string | null;
  /** The pipeline that answers it. */
  readonly pipeline: string;
  /** As in {@link Endpoint}. */
  readonly routes: NonNullable<Endpoint['routes']>;
}

/** A condition of EG: its name and parameters, checked. */
export type Condition = Readonly<Record<string, unknown>> & { readonly name: string };

/** One policy of a pipeline. */
export interface PipelineStep {
  readonly policy: string;
  readonly condition: Condition | null;
  /** As written; `{}` when absent. */
  readonly action: Readonly<Record<string, unknown>>;
  /** `action` as the policy parses it, with defaults filled in. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface Pipeline {
  readonly name: string;
  /** The names of its apiEndpoints. */
  readonly endpoints: readonly string[];
  /** In order; the last policy answers. */
  readonly steps: readonly PipelineStep[];
}

/** A plugin of system.config.yml. */
export interface PluginEntry {
  readonly name: string;
  /** Absolute path of its manifest. */
  readonly package: string;
  /** Names of the policies that it provides. */
  readonly policies: readonly string[];
  /** A plugin of express-gateway, not of Tidegate. */
  readonly isForeign: boolean;
}

/** The files as express-gateway expects them, variables replaced, so that nothing is read or substituted twice. */
export interface ConfigurationDocuments {
  readonly gateway: Readonly<Record<string, unknown>>;
  readonly system: Readonly<Record<string, unknown>>;
  readonly models: Readonly<
    Record<'users' | 'credentials' | 'applications', Readonly<Record<string, unknown>>>
  >;
}

/** The listener, where it speaks TLS itself. */
export interface Listener {
  /** Certificate, key and the oldest version of TLS; a function, so that nothing prints the key. */
  readonly secure: () => SecureContextOptions;
  /** How long browsers ask this host by https alone; 0: nothing is said. */
  readonly hstsSeconds: number;
}

export interface Configuration {
  /** The absolute path it was read from. */
  readonly directory: string;
  /** Twelve hexadecimal digits that follow from what its files say, their variables as written; remarks and layout do not matter. */
  readonly hash: string;
  /** What its files hold, as written, by their names inside the directory. */
  readonly texts: ReadonlyMap<string, string>;
  /** The number in the history of what is pinned; null: it is what the files say. */
  readonly pinned: number | null;
  /** In the order of the file: the first that matches answers, and nothing else changes that order. */
  readonly endpoints: readonly ApiEndpoint[];
  readonly serviceEndpoints: Readonly<Record<string, ServiceEndpoint>>;
  /** Names of the policies in use. */
  readonly policies: readonly string[];
  readonly pipelines: readonly Pipeline[];
  readonly plugins: readonly PluginEntry[];
  /** What a policy does with a path, by its name; those whose parameters say it are absent. */
  readonly explainers: ReadonlyMap<string, NonNullable<PolicyDefinition['explain']>>;
  /** The words that a policy's parameters are chosen from, by its name. */
  readonly policyWords: ReadonlyMap<string, ReadonlySet<string>>;
  /** What path the backend gets for another one, by the name of the policy; those that leave it are absent. */
  readonly rewriters: ReadonlyMap<string, PathRewriter>;
  /** What backends of the platform's own say of themselves, by the name of the serviceEndpoint. */
  readonly backendDocuments: ReadonlyMap<string, BackendDocument>;
  /** `scopes` and `roles` of the file, or the shipped ones. */
  readonly scopes: ScopeCatalogue;
  readonly plans: PlansFile;
  /** A fingerprint of what the policies read from disk: another one after any change there; null: it was not looked at. */
  readonly files: string | null;
  /** What is valid, but probably unintended. */
  readonly warnings: readonly Fault[];
  readonly documents: ConfigurationDocuments;
  /** Absolute paths of the further files and folders it was read from: those included, secret files, certificates and keys. */
  readonly further: readonly string[];
  /** What its files name by `${…}`. */
  readonly variables: readonly UsedVariable[];
  /** Keeps the texts of its secret files out of what is shown. */
  readonly secrets: SecretTexts;
  /** Null: the listener speaks plain HTTP. */
  readonly https: Listener | null;
  /** Paths of the certificates and keys, each with a digest of what it held. */
  readonly tlsFiles: ReadonlyMap<string, string>;
  /** Files of a certificate that has ended, with the text of its warning. */
  readonly endedCertificates: ReadonlyMap<string, string>;
}

/** What the files alone say. */
export type CheckedFiles = Omit<
  Configuration,
  'directory' | 'hash' | 'texts' | 'pinned' | 'further' | 'variables' | 'secrets' | 'endedCertificates'
>;
