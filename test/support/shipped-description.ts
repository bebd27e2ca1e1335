/** The OpenAPI document of the shipped configuration, as its tests read it. */
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import type { Configuration } from '../../gateway/configuration/configuration.ts';
import { loadConfiguration } from '../../gateway/configuration/load-configuration.ts';
import { apiDescription } from '../../gateway/process/compose/api-description.ts';
import {
  configurationVariables,
  UNSTARTED_SERVICE_URLS,
} from '../../gateway/process/reload/configuration-variables.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export interface Content {
  readonly schema: JsonObject;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference | { readonly value: unknown }>>;
}
export interface Reference {
  readonly $ref: string;
}
export interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Content>>;
}
export interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly 'x-scopes'?: readonly string[];
  readonly 'x-scopes-under'?: Readonly<Record<string, readonly string[]>>;
  readonly 'x-roles'?: readonly string[];
  readonly 'x-rate-limits': readonly JsonObject[];
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly parameters?: readonly (Reference | { readonly name: string; readonly in: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
}
export interface Document {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;
}

export function shippedConfiguration(): Promise<Configuration> {
  const variables = configurationVariables(UNSTARTED_SERVICE_URLS);
  return loadConfiguration(join(PACKAGE_ROOT, 'config'), variables);
}

/** Of the default settings. */
const DOMAINS = { serviceDomain: 'localhost', originPorts: [] };

export function describedBy(configuration: Configuration): Document {
  return JSON.parse(apiDescription(configuration, DOMAINS)) as Document;
}

/** Every operation as `GET /path`, its path as the configuration writes it. */
export function operationsOf(document: Document): Map<string, Operation> {
  return new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) =>
          [`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`, operation] as const,
      ),
    ),
  );
}

/** What a reference of the document refers to, and anything else as it is. */
export function resolved<T extends object>(document: Document, value: T | Reference): T {
  if (!('$ref' in value)) return value;
  const [, , section = '', name = ''] = value.$ref.split('/');
  const found = document.components[section]?.[name];
  if (!found) throw new Error(`${value.$ref} refers to nothing`);
  return found as T;
}
