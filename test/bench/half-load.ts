/** How long requests wait in each target at half of the load that it bears, and at the upstream alone, at a fixed pace. */
import path from 'node:path';
import type { BenchProcesses } from './bench-processes.ts';
import { type Paced, type PacedSpec, pacedSchema } from './paced-client.ts';
import { type Method, median } from './report.ts';
import type { TargetName } from './target.ts';
import type { LoadRequest } from './wrk-load.ts';

/** The upstream without anything before it: what the others add, they add to this. */
export type WaitsOf = TargetName | 'upstream';

export interface HalfLoad extends Paced {
  readonly target: WaitsOf;
  readonly method: Method;
  readonly perSecond: number;
}

export interface HalfLoadOptions {
  readonly processes: BenchProcesses;
  readonly root: string;
  readonly target: WaitsOf;
  readonly url: string;
  readonly method: Method;
  readonly request: LoadRequest;
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
  readonly processor: number | null;
}

/** One run of the paced client. */
export async function measureHalfLoad(options: HalfLoadOptions): Promise<HalfLoad> {
  const { target, method, perSecond, seconds, connections } = options;
  const { host, port } = new URL(options.url);
  const spec: PacedSpec = {
    port: Number(port),
    request: wireText(options.request, host),
    perSecond,
    seconds,
    connections,
  };
  const program = path.join(options.root, 'dist/test/bench/paced-client.js');
  const text = await options.processes.run(process.execPath, [program, JSON.stringify(spec)], {
    processor: options.processor,
  });
  return { target, method, perSecond, ...pacedSchema.parse(JSON.parse(text)) };
}

/** The request as HTTP/1.1 writes it. */
export function wireText({ method, path: target, headers, body = '' }: LoadRequest, host: string): string {
  const lines = Object.entries({
    host,
    ...headers,
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  });
  return `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** The median of several runs of the same target and method, figure by figure; requests and failures summed up. */
export function mergeHalfLoads(runs: readonly HalfLoad[]): HalfLoad[] {
  const groups = new Map<string, HalfLoad[]>();
  for (const run of runs) {
    const name = `${run.target} ${run.method}`;
    groups.set(name, [...(groups.get(name) ?? []), run]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const of = (read: (run: HalfLoad) => number) => median(group.map(read));
    const sum = (read: (run: HalfLoad) => number) => group.reduce((total, run) => total + read(run), 0);
    return [
      {
        target: first.target,
        method: first.method,
        perSecond: first.perSecond,
        sent: sum(({ sent }) => sent),
        failures: sum(({ failures }) => failures),
        p50: of(({ p50 }) => p50),
        p99: of(({ p99 }) => p99),
        p999: of(({ p999 }) => p999),
      },
    ];
  });
}
