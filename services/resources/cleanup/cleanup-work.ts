/** The input of a clean-up, and its report. */
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { EventEraser } from '../../shared/ports/event-store.ts';
import type { ProfileEvents } from '../../shared/ports/profile-events.ts';

export interface CleanupWork {
  readonly documents: DocumentStore;
  readonly events: EventEraser;
  readonly profileEvents: Pick<ProfileEvents, 'visitors' | 'keyedToOthers'>;
  /** Aborted when the process ends; checked between steps. */
  readonly signal: AbortSignal;
}

/** What a clean-up removed. */
export interface Removed {
  readonly documents: number;
  readonly events: number;
}
