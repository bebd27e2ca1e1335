/** What the bench measures: a gateway as one process in front of the upstream. */
import type { BenchProcesses, RunningProcess } from './bench-processes.ts';

export const TARGET_NAMES = [
  'bare',
  'stock',
  'tidegate',
  'fastify',
  'nginx-lua',
  'traefik',
  'krakend',
] as const;
export type TargetName = (typeof TARGET_NAMES)[number];
/** What `npm run bench:gateway` measures when nothing is named: Tidegate between the least and the most that it is compared with. */
export const USUAL_TARGETS: readonly TargetName[] = ['bare', 'stock', 'tidegate'];

/** What a target is started with. */
export interface TargetContext {
  readonly processes: BenchProcesses;
  /** Root of the project, where `dist`, `config` and `test` are. */
  readonly root: string;
  /** A folder of the run, for whatever the target must write. */
  readonly folder: string;
  readonly upstreamUrl: string;
  /** The key that every request carries. */
  readonly apiKey: string;
  readonly processor: number | null;
  /** Further arguments of node, such as `--cpu-prof`. */
  readonly nodeArguments: readonly string[];
}

export interface RunningTarget {
  readonly name: TargetName;
  readonly url: string;
  readonly process: RunningProcess;
  /** The status that a request without a key gets; absent: it knows no keys. */
  readonly keylessStatus?: number;
  /** Whether its answers tell what is left of a limit. */
  readonly tellsLimits?: boolean;
}

/** A reason why the bench cannot run here that whoever runs it can remove; the text says how. */
export class MissingRequirement extends Error {}
