/** Machine and versions of a run: what a reader needs to judge its figures. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import path from 'node:path';
import { findNginx } from '../nginx-upstream.ts';
import { findPostgres, hasPostgres } from '../postgres-cluster.ts';
import { allowedProcessors } from '../process-usage.ts';
import type { PerformanceDocument } from './document.ts';

const NUMBER = /\d+(?:\.\d+)+/;

/** The first version that a command tells of; null when it is not there. */
function versionOf(command: string | null | undefined, argument: string): string | null {
  if (!command) return null;
  const { stdout, stderr, error } = spawnSync(command, [argument], { encoding: 'utf8' });
  return error === undefined ? (NUMBER.exec(`${stdout}${stderr}`)?.[0] ?? null) : null;
}

/** The version that a file of a bench asks for. */
function pinnedIn(root: string, file: string, name: string): string | null {
  const place = path.join(root, 'test/bench', file);
  if (!existsSync(place)) return null;
  return new RegExp(`"?${name}"?(?:==|: ")(${NUMBER.source})`).exec(readFileSync(place, 'utf8'))?.[1] ?? null;
}

/** The machine that this runs on. */
export function thisMachine(root: string): PerformanceDocument['machine'] {
  const processors = cpus();
  const versions = {
    nginx: versionOf(findNginx(), '-v'),
    'express-gateway': pinnedIn(root, 'stock-express-gateway/package.json', 'express-gateway'),
    fastify: pinnedIn(root, 'fastify-reply-from/package.json', 'fastify'),
    PostgreSQL: versionOf(hasPostgres() ? path.join(findPostgres(), 'postgres') : null, '--version'),
    chdb: pinnedIn(root, 'clickhouse/requirements.txt', 'chdb'),
  };
  return {
    processor: processors[0]?.model ?? 'unknown processor',
    processors: processors.length,
    memoryGigabytes: Math.round(totalmem() / 1e9),
    system: `${type()} ${release()}`,
    node: process.version,
    versions: Object.fromEntries(
      Object.entries(versions).flatMap(([name, version]) => (version === null ? [] : [[name, version]])),
    ),
    pinned: allowedProcessors().length > 1,
  };
}
