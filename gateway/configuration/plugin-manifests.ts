/** Loads the manifests that system.config.yml names, as express-gateway will, but reports the real reason when one fails. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { foreignCopyOf } from '../../plugins/kit/define-plugin.ts';
import type { PolicyDefinition } from '../../plugins/kit/policy.ts';
import { checkName } from './check-endpoints.ts';
import { type Cursor, isMap } from './cursor.ts';
import { compileAsExpressGateway } from './express-gateway-schema.ts';
import { shown } from './faults.ts';
import { reportTwiceRegistered, withForeignNames } from './foreign-names.ts';
import { reasonOf, registeredBy, schemaOfJson } from './foreign-plugins.ts';
import type { LoadedPlugin, LoadedPlugins, OfferedPolicy, PathRewriter } from './loaded-plugins.ts';
import { type ParameterSchema, parseAt } from './schema-faults.ts';

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
      if (policy.isForeign) continue;
      const other = providers.get(policy.name);
      if (other !== undefined) {
        cursor.at(name).report(`provides the policy "${policy.name}", which "${other}" already provides`, {
          came: policy.name,
        });
      } else providers.set(policy.name, name);
    }
  }
  reportTwiceRegistered(cursor, plugins);
  return { plugins: plugins.map((plugin) => withForeignNames(plugin, plugins)), complete };
}

async function loadPlugin(cursor: Cursor, name: string): Promise<LoadedPlugin | null> {
  checkName(cursor, name);
  if (cursor.keys('map with package') === null) return null;
  const place = cursor.at('package');
  const file = place.value;
  if (typeof file !== 'string' || !path.isAbsolute(file)) {
    place.report(file === undefined ? 'is missing' : `${shown(file)} is not an absolute path`, {
      allowed: [`the absolute path of a manifest, such as \${PLUGIN_DIR}/auth/manifest.js`],
      candidates: [],
    });
    return null;
  }
  const manifest = await importManifest(place, file);
  if (manifest === null) return null;
  checkSettings(cursor, manifest);
  const { policies: declared } = manifest;
  // A list of names is how plugins of express-gateway say what they register.
  if (!Array.isArray(declared) || declared.some((policy) => typeof policy === 'string')) {
    const registered = registeredBy(place, cursor, manifest.init);
    return registered && { name, package: file, ...registered };
  }
  const policies = declaredPolicies(place, declared);
  return policies && { name, package: file, policies, conditions: new Map() };
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
        ? 'it uses top-level await, which express-gateway cannot load'
        : reasonOf(error);
    cursor.report(`the plugin does not load: ${reason}`, { candidates: [] });
    return null;
  }
  const { init, version, schema = {}, policies } = isMap(exported) ? exported : {};
  if (typeof init !== 'function') {
    cursor.report('this is not a plugin: it exports no function init', { candidates: [] });
    return null;
  }
  const copy = foreignCopyOf(init);
  if (copy !== null) {
    const text = `the plugin uses another copy of Tidegate than the one that runs: ${pathOf(copy)}`;
    cursor.report(text, { candidates: [] });
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
  try {
    if (!isAnyMap(schema)) compileAsExpressGateway(schema);
  } catch (error) {
    cursor.report(`express-gateway cannot read the schema of the plugin: ${reasonOf(error)}`, {
      candidates: [],
    });
    return null;
  }
  return { init: init as Manifest['init'], schema, policies };
}

/** Whether a schema says no more than that settings are a map, as those of this house: no need to load a validator for that. */
function isAnyMap({ $id: _, type, ...rest }: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(rest).length === 0 && (type === undefined || type === 'object');
}

/** Besides `package`, only the settings in the plugin's JSON schema are allowed. */
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
    const { name, schema, unconditional, check, explain, backends, rewrites, reads } = isMap(policy)
      ? policy
      : {};
    if (typeof name !== 'string' || !isParameterSchema(schema)) {
      cursor.report('the plugin exports a policy without name or zod schema', { candidates: [] });
      return null;
    }
    offered.push({
      name,
      schema,
      ...(unconditional === true && { unconditional }),
      ...(typeof check === 'function' && { check: check as NonNullable<PolicyDefinition['check']> }),
      ...(typeof explain === 'function' && { explain: explain as NonNullable<PolicyDefinition['explain']> }),
      ...(typeof backends === 'function' && { backends: backends as NonNullable<OfferedPolicy['backends']> }),
      ...(typeof rewrites === 'function' && { rewrites: rewrites as PathRewriter }),
      ...(typeof reads === 'function' && { reads: reads as NonNullable<PolicyDefinition['reads']> }),
    });
  }
  return offered;
}

function isParameterSchema(schema: unknown): schema is ParameterSchema {
  return typeof schema === 'object' && schema !== null && 'safeParse' in schema;
}

/** The path of a file URL; a plugin may claim anything, which is then shown as it came. */
function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return shown(url);
  }
}
