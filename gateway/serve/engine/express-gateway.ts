/** The only access to express-gateway: a clean instance per gateway, quiet, without its own listener, stores and file watcher. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire, Module } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { Writable } from 'node:stream';
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
  logger: Record<string, { level?: string; clear?: () => void; add?: (transport: unknown) => void }>;
  config: object;
  policies: { resolve(name: string): { policy: (params: object, config: object) => EgPolicyHandler } };
  main: () => { load(directory: string): { run(): Promise<unknown> } };
}

/**
 * Starts express-gateway on checked documents. Its modules are loaded afresh, so that gateways in one process, or an old
 * and a new one, share nothing. Rejects when EG itself refuses the configuration.
 */
export async function startExpressGateway(
  configuration: Pick<Configuration, 'documents' | 'plugins'>,
  runtime: GatewayRuntime,
): Promise<ExpressGateway> {
  const directory = await writeDocuments(configuration);
  try {
    setExpressGatewayEnvironment(directory);
    const modules = loadModules(runtime.logger);
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
const EG_ROOT = dirname(require.resolve('express-gateway'));
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
function loadModules(logger: Logger): EgModules {
  for (const path of Object.keys(require.cache)) {
    if (isOfExpressGateway(path)) delete require.cache[path];
  }
  // A new one each time: a require caches what was loaded through it.
  const load = createRequire(import.meta.url);
  for (const module of UNUSED_MODULES) replaceModule(join(EG_ROOT, module));
  const egLogger = load(join(EG_ROOT, 'logger.js')) as EgModules['logger'];
  quieten(egLogger, createRequire(join(EG_ROOT, 'logger.js')), logger);
  return {
    logger: egLogger,
    main: load(EG_ROOT) as EgModules['main'],
    config: load(join(EG_ROOT, 'config', 'index.js')) as object,
    policies: load(join(EG_ROOT, 'policies', 'index.js')) as EgModules['policies'],
  };
}

/**
 * EG's own users, credentials and tokens with their Redis store, and its administration API: Tidegate has its own, and
 * loading them takes a third of EG's start. A plugin that asks for them finds nothing there.
 */
const UNUSED_MODULES = [join('services', 'index.js'), join('rest', 'index.js')];

function replaceModule(path: string): void {
  const replacement = new Module(path);
  replacement.filename = path;
  replacement.loaded = true;
  replacement.exports = () => undefined;
  require.cache[path] = replacement;
}

/** EG's winston loggers log warnings and worse through ours. */
function quieten(egLogger: EgModules['logger'], requireOfEg: NodeJS.Require, logger: Logger): void {
  const { transports } = requireOfEg('winston') as {
    transports: { Stream: new (options: object) => unknown };
  };
  const stream = new Writable({
    write(line: Buffer, _encoding, done) {
      logger.warn({ from: 'express-gateway' }, line.toString().trim());
      done();
    },
  });
  for (const each of Object.values(egLogger)) {
    if (typeof each.clear !== 'function' || typeof each.add !== 'function') continue;
    each.clear();
    each.add(new transports.Stream({ stream }));
    each.level = 'warn';
  }
}
