/** Records of events for tests: everything null save what a test names. */
import { type EventRecord, NUMBER_COLUMNS, TEXT_COLUMNS } from '../../services/shared/model/event-record.ts';

const SIGNUP = {
  ...Object.fromEntries([...TEXT_COLUMNS, ...NUMBER_COLUMNS].map((column) => [column, null])),
  event_name: 'signup',
  organization_id: 'org_a',
  timestamp: Date.UTC(2026, 6, 15, 12, 0, 0, 123),
  is_bot: false,
  is_keyless: null,
} as EventRecord;

/** One record; by default a custom event of `org_a` without website. */
export function eventRecord(overrides: Partial<EventRecord> = {}): EventRecord {
  return { ...SIGNUP, ...overrides };
}
