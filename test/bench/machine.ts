/** What the bench needs of the machine: nginx, wrk, and two processors to keep target and load apart. */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { findNginx } from './nginx-upstream.ts';
import { allowedProcessors } from './process-usage.ts';
import { MissingRequirement } from './target.ts';

export interface Machine {
  /** Command that starts nginx. */
  readonly nginx: string;
  /** Where targets run; null: anywhere. */
  readonly targetProcessor: number | null;
  /** Where upstream and load run; null: anywhere. */
  readonly loadProcessor: number | null;
}

/** @throws MissingRequirement naming everything that is missing and how to get it. */
export function examineMachine(): Machine {
  if (process.platform !== 'linux') {
    throw new MissingRequirement('The gateway bench reads CPU time from /proc: it runs on Linux only.');
  }
  const nginx = findNginx();
  const missing = [...(nginx ? [] : ['nginx']), ...(exists('wrk', '-v') ? [] : ['wrk'])];
  if (!nginx || missing.length > 0) {
    throw new MissingRequirement(
      `The gateway bench needs ${missing.join(' and ')}. On Debian or Ubuntu: apt-get install -y ${missing.join(' ')}`,
    );
  }
  const [first, second] = allowedProcessors();
  if (first === undefined || second === undefined || !exists('taskset', '-V')) {
    return { nginx, targetProcessor: null, loadProcessor: null };
  }
  return { nginx, targetProcessor: first, loadProcessor: second };
}

/** One line about where things run, for the head of the report. */
export function describeMachine(machine: Machine): string {
  if (machine.targetProcessor === null) {
    return `${availableParallelism()} processors; not pinned (two processors and taskset are needed), so figures are rough`;
  }
  return `targets on processor ${machine.targetProcessor}, nginx and wrk on processor ${machine.loadProcessor}`;
}

function exists(command: string, argument: string): boolean {
  return spawnSync(command, [argument], { stdio: 'ignore' }).error === undefined;
}
