/** Dataset: the sessions of one visitor. */
import { z } from 'zod';
import { identifierArgument } from '../../catalogue/arguments.ts';
import type { Dataset } from '../../catalogue/dataset.ts';
import { sessions } from './sessions.ts';

export const visitorSessions: Dataset = {
  ...sessions,
  names: ['visitor_sessions'],
  description: 'Sessions with a pageview in which a visitor sent an event, the latest first.',
  arguments: z.object({
    visitorId: identifierArgument(256, 'The visitor, as anonymousId of its events.'),
  }),
  onlyWhere: { column: 'anonymous_id', argument: 'visitorId', of: 'session' },
};
