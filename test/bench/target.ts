/** What the bench measures: a gateway as one process in front of the upstream. */
import type { BenchProcesses, RunningProcess } from './bench-processes.ts';

export const TARGET_NAMES = ['bare', 'stock', 'tidegate'] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

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
}

/** A reason why the bench cannot run here that whoever runs it can remove; the text says how. */
export class MissingRequirement extends Error {}
