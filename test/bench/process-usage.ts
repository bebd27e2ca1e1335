/** What a process has used so far, read from /proc: CPU time of all its threads, and resident memory. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Length of a tick of /proc/<pid>/stat, in microseconds: USER_HZ is 100 on every Linux that node supports. */
const TICK_MICROSECONDS = 10_000;

/** User and system time from the text of /proc/<pid>/stat, in microseconds; children are not in it. */
export function parseCpuMicroseconds(stat: string): number {
  // The command's name stands in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  if (!Number.isFinite(ticks)) throw new Error(`not the text of /proc/<pid>/stat: ${stat}`);
  return ticks * TICK_MICROSECONDS;
}

/** CPU time that the threads of process `pid` used since it started, in microseconds. @throws when it is gone. */
export function cpuMicroseconds(pid: number): number {
  return parseCpuMicroseconds(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** Resident memory of process `pid`, in megabytes of 10^6 bytes. @throws when it is gone. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kilobytes ?? 0) * 1024) / 1e6;
}

/** Time that processor `processor` was not idle, from the text of /proc/stat, in microseconds; 0 when it is not listed. */
export function parseBusyMicroseconds(stat: string, processor: number): number {
  const line = stat.split('\n').find((text) => text.startsWith(`cpu${processor} `));
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (line ?? '')
    .split(' ')
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * TICK_MICROSECONDS;
}

/** Time that a processor was not idle since the system started, in microseconds. */
export function busyMicroseconds(processor: number): number {
  return parseBusyMicroseconds(readFileSync('/proc/stat', 'utf8'), processor);
}

/** The processors that a list such as `0-2,5` names. */
export function parseCpuList(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** The processors that this process may run on. */
export function allowedProcessors(): number[] {
  const list = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return parseCpuList(list ?? '0');
}

/** How long the processors are watched for their share of work, in milliseconds. */
const WATCHED_MS = 2_000;

/** The share of this process's processors that the machine uses in the next two seconds, 0..1: near 0 where nothing else runs. */
export async function busyShare(): Promise<number> {
  const processors = allowedProcessors();
  const busy = () => processors.reduce((sum, processor) => sum + busyMicroseconds(processor), 0);
  const [before, begun] = [busy(), performance.now()];
  await delay(WATCHED_MS);
  const share = (busy() - before) / ((performance.now() - begun) * 1_000 * processors.length);
  return Math.min(1, share);
}
