/** Loads the manifests that system.config.yml names, as express-gateway will, but with the real reason when one fails. */
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { checkName } from './check-endpoints.ts';
import { type Cursor, isMap } from './cursor.ts';
import { shown } from './faults.ts';
import { type ParameterSchema, parseAt } from './schema-faults.ts';

/** A policy that a plugin provides; `schema` is null when its parameters can only be judged by express-gateway. */
export interface OfferedPolicy {
  readonly name: string;
  readonly schema: ParameterSchema | null;
}

/** A plugin whose manifest loaded. */
export interface LoadedPlugin {
  readonly name: string;
  readonly package: string;
  readonly policies: readonly OfferedPolicy[];
}

/** All plugins that load; `complete` is false when one does not, and policies may be missing for that reason. */
export interface LoadedPlugins {
  readonly plugins: readonly LoadedPlugin[];
  readonly complete: boolean;
}

/** Loads each plugin of the map at `cursor` (`plugins` of system.config.yml) and checks its settings. */
export async function loadPlugins(cursor: Cursor): Promise<LoadedPlugins> {
  const names = cursor.keys('map of plugins by name');
  if (!names) return { plugins: [], complete: false };
  const plugins: LoadedPlugin[] = [];
  let complete = true;
  const providers = new Map<string, string>();
  for (const name of names) {
    const plugin = await loadPlugin(cursor.at(name), name);
    if (plugin === null) complete = false;
    else plugins.push(plugin);
    for (const policy of plugin?.policies ?? []) {
      const other = providers.get(policy.name);
      if (other !== undefined) {
        cursor.at(name).report(`provides the policy "${policy.name}", which "${other}" provides already`, {
          came: policy.name,
        });
      } else providers.set(policy.name, name);
    }
  }
  return { plugins, complete };
}

async function loadPlugin(cursor: Cursor, name: string): Promise<LoadedPlugin | null> {
  checkName(cursor, name);
  if (cursor.keys('map with package') === null) return null;
  const place = cursor.at('package');
  const file = place.value;
  if (typeof file !== 'string' || !path.isAbsolute(file)) {
    place.report(file === undefined ? 'is missing' : `${shown(file)} is no absolute path`, {
      allowed: [`the absolute path of a manifest, such as \${PLUGIN_DIR}/auth/manifest.js`],
      candidates: [],
    });
    return null;
  }
  const manifest = await importManifest(place, file);
  if (manifest === null) return null;
  checkSettings(cursor, manifest);
  const policies = Array.isArray(manifest.policies)
    ? declaredPolicies(place, manifest.policies)
    : registeredPolicies(place, cursor, manifest);
  return policies && { name, package: file, policies };
}

interface Manifest {
  readonly init: (context: object) => unknown;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly policies?: unknown;
}

async function importManifest(cursor: Cursor, file: string): Promise<Manifest | null> {
  if (!existsSync(file)) {
    cursor.report('the file is missing', { candidates: [] });
    return null;
  }
  let exported: unknown;
  try {
    const namespace = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    // Express-gateway requires it, which refuses a module with a top-level await.
    createRequire(import.meta.url)(file);
    exported = typeof namespace.init === 'function' ? namespace : namespace.default;
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'ERR_REQUIRE_ASYNC_MODULE'
        ? 'it uses top-level await, and express-gateway cannot wait for it'
        : reasonOf(error);
    cursor.report(`the plugin does not load: ${reason}`, { candidates: [] });
    return null;
  }
  const { init, version, schema = {}, policies } = isMap(exported) ? exported : {};
  if (typeof init !== 'function') {
    cursor.report('this is no plugin: it exports no function init', { candidates: [] });
    return null;
  }
  if (typeof version !== 'string' || !/^\d+\.\d+\.\d+/.test(version)) {
    cursor.report('the plugin exports no version; express-gateway would skip it', { candidates: [] });
    return null;
  }
  if (!isMap(schema) || (Object.keys(schema).length > 0 && typeof schema.$id !== 'string')) {
    cursor.report('the plugin exports a schema without $id; express-gateway would skip it', {
      candidates: [],
    });
    return null;
  }
  return { init: init as Manifest['init'], schema, policies };
}

/** Settings beside `package` are those of the plugin's JSON schema, no others. */
function checkSettings(cursor: Cursor, manifest: Manifest): void {
  const properties = isMap(manifest.schema.properties) ? manifest.schema.properties : {};
  cursor.map('map with package', ['package', ...Object.keys(properties)]);
  const schema = schemaOfJson({ ...manifest.schema, additionalProperties: true });
  if (schema) parseAt(cursor, schema);
}

/** The policies of a Tidegate manifest. */
function declaredPolicies(cursor: Cursor, policies: readonly unknown[]): OfferedPolicy[] | null {
  const offered: OfferedPolicy[] = [];
  for (const policy of policies) {
    const { name, schema } = isMap(policy) ? policy : {};
    if (typeof name !== 'string' || !isParameterSchema(schema)) {
      cursor.report('the plugin exports a policy without name or zod schema', { candidates: [] });
      return null;
    }
    offered.push({ name, schema });
  }
  return offered;
}

function isParameterSchema(schema: unknown): schema is ParameterSchema {
  return typeof schema === 'object' && schema !== null && 'safeParse' in schema;
}

/** The policies that a foreign plugin registers, learnt by running its `init` against a recorder. */
function registeredPolicies(cursor: Cursor, settings: Cursor, manifest: Manifest): OfferedPolicy[] | null {
  const offered: OfferedPolicy[] = [];
  const ignore = (): void => undefined;
  const context = {
    settings: settings.value,
    config: { gatewayConfig: {}, systemConfig: {}, models: {} },
    services: {},
    logger: { debug: ignore, verbose: ignore, info: ignore, warn: ignore, error: ignore },
    eventBus: new EventEmitter(),
    registerCondition: ignore,
    registerGatewayRoute: ignore,
    registerAdminRoute: ignore,
    registerCLIExtension: ignore,
    registerPolicy(policy: { name: string; schema?: unknown }) {
      offered.push({ name: policy.name, schema: isMap(policy.schema) ? strictSchema(policy.schema) : null });
    },
  };
  try {
    const result = manifest.init(context);
    if (!(result instanceof Promise)) return offered;
    result.catch(ignore);
    cursor.report('init of the plugin is asynchronous; express-gateway would not wait for it', {
      candidates: [],
    });
  } catch (error) {
    cursor.report(`init of the plugin throws: ${reasonOf(error)}`, { candidates: [] });
  }
  return null;
}

/** Foreign schemas cannot forbid unknown keys (express-gateway adds one), so the check does it for them. */
function strictSchema(schema: Readonly<Record<string, unknown>>): ParameterSchema | null {
  const open = !isMap(schema.properties) || schema.additionalProperties !== undefined;
  return schemaOfJson(open ? schema : { ...schema, additionalProperties: false });
}

/** A JSON schema as zod; null when it uses what zod cannot express, and express-gateway alone judges. */
function schemaOfJson(schema: Readonly<Record<string, unknown>>): ParameterSchema | null {
  const { $id: _, $schema: __, ...rest } = schema;
  try {
    return z.fromJSONSchema(rest as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split('\n')[0] ?? '';
}
