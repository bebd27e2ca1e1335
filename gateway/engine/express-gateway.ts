/** The one door to express-gateway: a clean instance per gateway, quiet, off its own listener, stores and file watcher. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire, Module } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { setExpressGatewayEnvironment } from '../../config/settings.ts';
import type { EgPolicyHandler } from '../../services/shared/plugin/define-plugin.ts';
import { attachRuntime, type GatewayRuntime } from '../../services/shared/plugin/runtime.ts';
import type { ConfigurationDocuments } from '../configuration/configuration.ts';

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
 * Starts express-gateway on checked documents. Its modules are loaded anew, so that gateways in one process, or an old
 * and a new one, share nothing. Rejects when EG itself refuses the configuration.
 */
export async function startExpressGateway(
  documents: ConfigurationDocuments,
  runtime: GatewayRuntime,
): Promise<ExpressGateway> {
  const directory = await writeDocuments(documents);
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

/** EG reads files only: what was checked is written where nobody else looks, so that it reads exactly that. */
async function writeDocuments(documents: ConfigurationDocuments): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tidegate-eg-'));
  await mkdir(join(directory, 'models'));
  const write = (name: string, value: object) => writeFile(join(directory, name), JSON.stringify(value));
  await write('gateway.config.json', documents.gateway);
  await write('system.config.json', documents.system);
  await Promise.all(
    Object.entries(documents.models).map(([name, model]) => write(`models/${name}.json`, model)),
  );
  return directory;
}

const require = createRequire(import.meta.url);
const EG_ROOT = dirname(require.resolve('express-gateway'));
const isOfExpressGateway = (path: string): boolean => path.startsWith(EG_ROOT + sep);

/**
 * Cached modules remember who loaded them first: a library, or a file of the configuration, would hold the whole instance
 * that happened to need it, with its runtime, for as long as the process lives.
 */
function forgetLoaders(directory: string): void {
  for (const [path, module] of Object.entries(require.cache)) {
    if (path.startsWith(directory + sep)) delete require.cache[path];
    else if (module && !isOfExpressGateway(path) && isOfExpressGateway(module.parent?.filename ?? '')) {
      module.parent = null;
    }
  }
}

/** A clean instance: the modules below express-gateway/lib are forgotten first, everything else is shared. */
function loadModules(logger: Logger): EgModules {
  for (const path of Object.keys(require.cache)) {
    if (isOfExpressGateway(path)) delete require.cache[path];
  }
  // Its own each time: a require remembers what was loaded through it.
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

/** EG's winston loggers say warnings and worse, through ours. */
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
