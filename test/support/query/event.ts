/** Makes event records for tests from the few fields that a test is about. */
import {
  type EventRecord,
  NUMBER_COLUMNS,
  TEXT_COLUMNS,
} from '../../../services/shared/model/event-record.ts';

const EMPTY = Object.fromEntries([...TEXT_COLUMNS, ...NUMBER_COLUMNS].map((name) => [name, null]));

/** Fields of an event, its instant as ISO 8601 text. */
export type EventFields = Partial<Omit<EventRecord, 'timestamp'>> & { at: string };

export function eventRecord({ at, ...fields }: EventFields): EventRecord {
  return {
    ...EMPTY,
    event_name: 'screen_view',
    organization_id: 'org_a',
    website_id: 'web_a',
    is_bot: false,
    is_keyless: null,
    timestamp: Date.parse(at),
    ...fields,
  } as EventRecord;
}
