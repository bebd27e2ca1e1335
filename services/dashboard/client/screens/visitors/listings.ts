/** What the screen of visitors asks: the list, or one visitor with its sessions. */
import type { Listing } from '../../drill/listing.ts';
import { type Question, rangeQuestion, type Scene } from '../../website/scene.ts';

export const VISITORS: Listing = {
  dataset: 'profiles',
  sort: '-last_visit',
  searched: ['visitor_id', 'profile_id'],
  columns: [
    { key: 'visitor_id', kind: 'text' },
    { key: 'profile_id', kind: 'text', dimension: 'profile' },
    { key: 'first_visit', kind: 'instant' },
    { key: 'last_visit', kind: 'instant' },
    { key: 'session_count', kind: 'count' },
    { key: 'total_events', kind: 'count' },
    { key: 'unique_pages', kind: 'count' },
    {
      key: 'country',
      kind: 'text',
      fit: 'whole',
      dimension: 'country',
      names: 'country',
      codeFrom: 'country',
    },
    { key: 'device_type', kind: 'text', fit: 'whole', dimension: 'device', names: 'device' },
    { key: 'browser_name', kind: 'text', fit: 'whole', dimension: 'browser' },
    { key: 'os_name', kind: 'text', fit: 'whole', dimension: 'os' },
  ],
};

/** The visitor itself, whatever the filters of the scene keep. */
export const oneVisitor = (scene: Scene, visitorId: string): Question =>
  rangeQuestion(scene, 'visitor', ['profiles'], [{ field: 'visitor_id', op: 'eq', value: visitorId }]);
