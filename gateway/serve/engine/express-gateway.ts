/** The only access to express-gateway: a clean instance per gateway, quiet, without its own listener, stores and file watcher. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire, Module } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { format } from 'node:util';
import type { Logger } from 'pino';
import { setExpressGatewayEnvironment } from '../../../config/settings.ts';
import type { EgPolicyHandler } from '../../../plugins/kit/express-gateway-plugin.ts';
import { attachRuntime, type GatewayRuntime } from '../../../plugins/kit/runtime.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import { foreignShim } from './foreign-shim.ts';

/** What Tidegate uses of a running express-gateway. */
export interface ExpressGateway {
  /** A policy as EG resolved it. @throws Error when no plugin provided it */
  resolvePolicy(name: string): (params: object) => EgPolicyHandler;
}

interface EgModules {
  config: object;
  policies: { resolve(name: string): { policy: (params: object, config: object) => EgPolicyHandler } };
  main: () => { load(directory: string): { run(): Promise<unknown> } };
}

/**
 * Starts express-gateway on checked documents. Its modules are loaded afresh, so that gateways in one process, or an old
 * and a new one, share nothing. `servesRoutes`: whether it has routes of its own, or plugins of others; only without them it shares
 * what it compiled of schemas. Rejects when EG itself refuses the configuration.
 */
export async function startExpressGateway(
  configuration: Pick<Configuration, 'documents' | 'plugins'>,
  runtime: GatewayRuntime,
  servesRoutes: boolean,
): Promise<ExpressGateway> {
  const directory = await writeDocuments(configuration);
  try {
    setExpressGatewayEnvironment(directory);
    const modules = loadModules(runtime.logger, servesRoutes);
    attachRuntime(modules.config, runtime);
    await modules.main().load(directory).run();
    forgetLoaders(directory);
    return {
      resolvePolicy: (name) => (params) => modules.policies.resolve(name).policy(params, modules.config),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** EG only reads files: the checked documents are written to a private place, so that it reads exactly those. */
async function writeDocuments({
  documents,
  plugins,
}: Pick<Configuration, 'documents' | 'plugins'>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tidegate-eg-'));
  await mkdir(join(directory, 'models'));
  const write = (name: string, value: object) => writeFile(join(directory, name), finalJson(value));
  // The listener is ours.
  const { https: _, ...gateway } = documents.gateway;
  await write('gateway.config.json', gateway);
  const named = { ...(documents.system.plugins as Record<string, object>) };
  for (const plugin of plugins.filter(({ isForeign }) => isForeign)) {
    const shim = join(directory, `${plugin.name}.cjs`);
    await writeFile(shim, foreignShim(plugin));
    named[plugin.name] = { ...named[plugin.name], package: shim };
  }
  await write('system.config.json', { ...documents.system, plugins: named });
  await Promise.all(
    Object.entries(documents.models).map(([name, model]) => write(`models/${name}.json`, model)),
  );
  return directory;
}

/**
 * JSON in which EG finds no `${NAME}`: it would replace it, in the raw text, by a variable of the process, secrets included.
 * Ours are replaced already; a `$` that is left is meant, and reading the JSON restores it.
 */
function finalJson(value: object): string {
  return JSON.stringify(value).replaceAll('$', '\\u0024');
}

const require = createRequire(import.meta.url);
const EG_MAIN = require.resolve('express-gateway');
const EG_ROOT = dirname(EG_MAIN);
const isOfExpressGateway = (path: string): boolean => path.startsWith(EG_ROOT + sep);

/**
 * Cached modules keep a reference to the module that loaded them first: a library, or a configuration file, would hold that
 * whole instance, with its runtime, for the life of the process.
 */
function forgetLoaders(directory: string): void {
  const isOwnLoader = (path: string): boolean => isOfExpressGateway(path) || path.startsWith(directory + sep);
  for (const [path, module] of Object.entries(require.cache)) {
    if (path.startsWith(directory + sep)) delete require.cache[path];
    else if (module && !isOfExpressGateway(path) && isOwnLoader(module.parent?.filename ?? '')) {
      module.parent = null;
    }
  }
}

/** A clean instance: the modules below express-gateway/lib are evicted first, everything else is shared. */
function loadModules(logger: Logger, servesRoutes: boolean): EgModules {
  for (const path of Object.keys(require.cache)) {
    if (isOfExpressGateway(path)) delete require.cache[path];
  }
  // A new one each time: a require caches what was loaded through it.
  const load = createRequire(import.meta.url);
  for (const module of UNUSED_MODULES) replaceModule(join(EG_ROOT, module), () => undefined);
  const superagent = createRequire(EG_MAIN).resolve('superagent');
  const itself = require.cache[superagent];
  replaceModule(superagent, { get: refuseToFetch });
  replaceModule(join(EG_ROOT, 'logger.js'), loggersOver(logger));
  if (!servesRoutes) {
    kept ??= keepingSchemas(load(SCHEMAS) as EgSchemas);
    replaceModule(SCHEMAS, kept);
  }
  const modules = {
    main: load(EG_ROOT) as EgModules['main'],
    config: load(join(EG_ROOT, 'config', 'index.js')) as object,
    policies: load(join(EG_ROOT, 'policies', 'index.js')) as EgModules['policies'],
  };
  // A plugin may use it.
  if (itself === undefined) delete require.cache[superagent];
  else require.cache[superagent] = itself;
  return modules;
}

/**
 * EG's own users, credentials and tokens with their Redis store, and its administration API: Tidegate has its own, and
 * loading them takes a third of EG's start. A plugin that asks for them finds nothing there.
 */
const UNUSED_MODULES = [join('services', 'index.js'), join('rest', 'index.js')];

/** EG fetches the schemas that a schema refers to; a start waits for no stranger's server. */
async function refuseToFetch(address: unknown): Promise<never> {
  throw new Error(`the schema ${String(address)} is not fetched: schemas stand in the configuration`);
}

function replaceModule(path: string, exports: unknown): void {
  const replacement = new Module(path);
  replacement.filename = path;
  replacement.loaded = true;
  replacement.exports = exports;
  require.cache[path] = replacement;
}

const SCHEMAS = join(EG_ROOT, 'schemas', 'index.js');

/** EG's register of JSON schemas. */
interface EgSchemas {
  register(type: string, name: string, schema?: { readonly $id?: string }): (data: unknown) => object;
}

let kept: EgSchemas | null = null;

/**
 * Registers a schema anew only when another one had its name. EG compiles its own schemas and those of our policies when they are
 * first asked, which takes a tenth of a start.
 */
function keepingSchemas(schemas: EgSchemas): EgSchemas {
  const known = new Map<string, { readonly text: string; readonly validate: (data: unknown) => object }>();
  return {
    ...schemas,
    register(type, name, schema) {
      const text = JSON.stringify(schema);
      const before = known.get(schema?.$id ?? '');
      if (before !== undefined && before.text === text) return before.validate;
      const validate = schemas.register(type, name, schema);
      if (schema?.$id !== undefined) known.set(schema.$id, { text, validate });
      return validate;
    },
  };
}

/** EG's loggers, through ours: warnings and worse. Its own ones are winston's, 4 MB that nothing else needs. */
function loggersOver(logger: Logger): object {
  const tell = (...told: readonly unknown[]): void =>
    logger.warn({ from: 'express-gateway' }, format(...told).trim());
  const silent = (): void => undefined;
  const quiet = { info: silent, verbose: silent, debug: silent, silly: silent, log: silent };
  const each = { ...quiet, error: tell, warn: tell };
  const names = ['gateway', 'policy', 'config', 'db', 'admin', 'plugins'];
  return { ...Object.fromEntries(names.map((name) => [name, each])), createLoggerWithLabel: () => each };
}
