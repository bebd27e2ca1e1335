/** The page's own events. */
import type { Track } from './clicks.ts';
import { guard } from './guard.ts';
import type { TrackedEvent } from './sender.ts';

const LONGEST_NAME = 256;
const MOST_PROPERTIES = 50;
/** The API accepts 32 KB, and a character has at most 3 bytes. */
const LONGEST_PROPERTIES = 10_000;

/** Reports under `name`; properties that the API would refuse are omitted, so that the event still counts. */
export function createTrack(report: (fields: TrackedEvent) => void): Track {
  return guard((given: string, properties?: object) => {
    const name = String(given).trim().slice(0, LONGEST_NAME);
    if (name) report({ type: 'custom', name, properties: sendable(properties) });
  });
}

/** A copy, because the page may change its object later. */
function sendable(properties: object | undefined): unknown {
  try {
    const json = JSON.stringify(properties);
    const copy: object = JSON.parse(json);
    const fits = json.length <= LONGEST_PROPERTIES && Object.keys(copy).length <= MOST_PROPERTIES;
    return fits && json.startsWith('{') ? copy : undefined;
  } catch {
    // Not JSON, such as a circular object.
    return undefined;
  }
}
