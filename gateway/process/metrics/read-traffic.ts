/** What the operator socket tells of this process: its metrics, and who is throttled. */
import type { Traffic } from '../../administration/traffic.ts';
import type { Gateway } from '../../serve/create-gateway.ts';

/** With the processor and memory of the process, also where nobody scrapes it and nothing measures them all the time. */
export async function readTraffic(
  metrics: { text(): Promise<string> },
  gateway: Pick<Gateway, 'throttled'> | null | undefined,
): Promise<Traffic> {
  const text = await metrics.text();
  return {
    metrics: /^process_cpu_seconds_total /m.test(text) ? text : `${text}${ownUsage()}`,
    throttled: gateway?.throttled() ?? [],
  };
}

function ownUsage(): string {
  const { user, system } = process.cpuUsage();
  return [
    `process_cpu_seconds_total ${(user + system) / 1e6}`,
    `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    '',
  ].join('\n');
}
