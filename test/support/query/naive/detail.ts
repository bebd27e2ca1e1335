/** Datasets about what their arguments name, evaluated by walking over events. */
import type { Events, Row } from './measures.ts';
import { sessionList } from './sessions.ts';

export interface DetailQuestion {
  readonly inRange: Events;
  readonly keep: (inRange: Events) => Events;
  /** Arguments by the name of their dataset. */
  readonly given: Readonly<Record<string, unknown>>;
}

export function detailDatasets({ inRange, keep, given }: DetailQuestion): Record<string, Row[]> {
  const { visitorId } = given.visitor_sessions as { visitorId: string };
  const sessions = new Set(
    inRange.filter((event) => event.anonymous_id === visitorId).map(({ session_id }) => session_id),
  );
  return {
    visitor_sessions: sessionList(keep(inRange).filter(({ session_id }) => sessions.has(session_id))),
  };
}
