/** The text of a frame. */

import type { Frame, Rate } from '../../serve/traffic/frame.ts';
import { textTable } from '../text-table.ts';

/** Rows of a list. */
const MOST_ROWS = 10;

export function renderFrame(frame: Frame): string {
  const parts = [
    headOf(frame),
    ...listOf(
      'endpoint',
      ['endpoint', 'requests/s', 'p50 ms', 'p99 ms', '4xx/s', '5xx/s'],
      frame.endpoints.map((each) => [
        each.endpoint,
        perSecond(each.perSecond),
        atMost(each.p50Ms),
        atMost(each.p99Ms),
        perSecond(each.refusedPerSecond),
        perSecond(each.failedPerSecond),
      ]),
    ),
    ...listOf(
      'limit that refuses',
      ['limit', 'refused/s'],
      frame.limits.map(({ name, perSecond: rate }) => [name, perSecond(rate)]),
    ),
    ...(frame.throttled === null ? [] : [throttledOf(frame.throttled)]),
    ...listOf(
      'upstream',
      ['upstream', 'address', ''],
      frame.upstreams.map(({ service, address, healthy }) => [
        service,
        address,
        healthy ? 'takes requests' : 'OUT',
      ]),
    ),
  ];
  // Names may come from anywhere: none moves the cursor.
  return parts.join('\n').replace(/[^\P{Cc}\n]/gu, '?');
}

function headOf({ at, configuration, process, requests, ingest, counterStore }: Frame): string {
  const { ageSeconds, pinned } = configuration;
  const { cpuPercent, residentMb, eventLoopP99Ms, connections } = process;
  const parts = (list: readonly (string | null)[]) => list.filter((part) => part !== null).join(', ');
  const lines: [string, string][] = [
    ['time', at],
    [
      'configuration',
      parts([
        ageSeconds === null ? 'unknown' : `in force for ${ageOf(ageSeconds)}`,
        pinned === null ? null : `number ${pinned} is pinned`,
      ]),
    ],
    [
      'process',
      parts([
        cpuPercent === null ? null : `${cpuPercent.toFixed(0)} % of a processor`,
        residentMb === null ? null : `${residentMb.toFixed(0)} MB`,
        eventLoopP99Ms === null ? null : `event loop p99 ${eventLoopP99Ms.toFixed(1)} ms`,
        connections === null ? null : `${connections} connections`,
      ]),
    ],
    ['requests', `${perSecond(requests.perSecond)} a second${byStatus(requests.byStatus)}`],
    [
      'events',
      parts([
        `${perSecond(ingest.receivedPerSecond)} a second received`,
        `${perSecond(ingest.storedPerSecond)} stored`,
        ...ingest.dropped.map(({ name, perSecond: rate }) => `${perSecond(rate)} dropped (${name})`),
        ingest.waiting ? `${ingest.waiting} wait` : null,
      ]),
    ],
    ...(counterStore ? [['Redis', 'does not answer'] as [string, string]] : []),
  ];
  return lines.map(([name, text]) => `${name.padEnd(14)}${text}\n`).join('');
}

function byStatus(rates: readonly Rate[]): string {
  if (rates.length === 0) return '';
  // The status 0: the client left first.
  const nameOf = (status: string) => (status === 'aborted' ? 'left' : status);
  return `: ${rates.map(({ name, perSecond: rate }) => `${nameOf(name)} ${perSecond(rate)}`).join(', ')}`;
}

function listOf(name: string, header: readonly string[], rows: readonly string[][]): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - MOST_ROWS;
  const table = textTable(header, rows.slice(0, MOST_ROWS));
  return [more > 0 ? `${table}and ${more} more of "${name}"\n` : table];
}

function throttledOf(throttled: NonNullable<Frame['throttled']>): string {
  if (throttled.length === 0) return 'Nobody was refused by a limit within the last minute.\n';
  const rows = throttled.map((each) => [
    each.organization ?? '(no key)',
    each.key ?? '–',
    each.endpoint,
    `${each.limit}, ${each.window}`,
    String(each.refusals),
    each.reset,
  ]);
  const header = ['throttled', 'key', 'endpoint', 'limit', 'refused', 'resets'];
  return listOf('throttled', header, rows).join('');
}

function perSecond(rate: number): string {
  return rate >= 100 ? rate.toFixed(0) : rate.toFixed(1);
}

/** The end of the bucket that it lies in. */
function atMost(milliseconds: number | null): string {
  return milliseconds === null ? '–' : `≤ ${Number(milliseconds.toPrecision(3))}`;
}

function ageOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
