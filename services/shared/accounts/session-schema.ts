/** A session on the wire, for the plugin that answers `/v1/auth` and for pages, which import these types alone: so it imports little. */
import { z } from 'zod';
import { HOLDERS } from '../access/scope-catalogue.ts';
import { SCOPES_OF, scopeSchema } from '../access/scopes.ts';
import { ROLES } from '../model/user.ts';
import { effectiveLimitsSchema } from '../plans/effective-limits-schema.ts';

/** What every role may know of the organization that a session acts for. */
const activeOrganizationSchema = z.object({
  id: z.string(),
  timezone: z.string().describe('The zone in which pages show times; UTC unless it was set.'),
  plan: z.string(),
  limits: effectiveLimitsSchema.describe(
    'What binds now: the numbers of the organization in place of the plan’s.',
  ),
});
export type ActiveOrganization = z.infer<typeof activeOrganizationSchema>;

/** Who is logged in. */
export const sessionUserSchema = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().nullable().describe('null until one was given.'),
  isOperator: z
    .literal(true)
    .optional()
    .describe('Whether the person runs the service, and may look at `/v1/platform`. Absent: no.'),
});
export type SessionUser = z.infer<typeof sessionUserSchema>;

export const sessionDataSchema = z
  .object({
    sessionId: z.string().describe('This session among those of GET /v1/auth/sessions.'),
    user: sessionUserSchema,
    organizations: z
      .array(z.object({ id: z.string(), name: z.string(), role: z.enum(ROLES) }))
      .describe('Organizations of the user, the oldest membership first.'),
    activeOrganizationId: z.string().describe('The organization that the session acts for.'),
    active: activeOrganizationSchema.describe('The organization that the session acts for.'),
    scopes: z
      .array(scopeSchema.meta({ [SCOPES_OF]: 'sessions' }))
      .describe('What the session may do there: the scopes of the role of its user.'),
    listedScopes: z
      .array(
        z.object({
          name: scopeSchema.meta({ [SCOPES_OF]: 'all' }),
          text: z.string().describe('What it opens, in words.'),
          holders: z.array(z.enum(HOLDERS)).describe('Who may hold it.'),
        }),
      )
      .describe('Every scope of the configuration. A session gives to a key those that it holds itself.'),
    roleScopes: z
      .record(z.enum(ROLES), z.array(scopeSchema.meta({ [SCOPES_OF]: 'sessions' })))
      .describe('What the sessions of each role hold.'),
    accessExpiresAt: z.iso
      .datetime()
      .describe('When the access cookie ends; after a login or a refresh that of the new one.'),
  })
  .meta({ title: 'Session' });
export type SessionData = z.infer<typeof sessionDataSchema>;

export const sessionViewSchema = z.object({ success: z.literal(true), data: sessionDataSchema });
export type SessionView = z.infer<typeof sessionViewSchema>;

/** One of the sessions of a user, as that user sees it. */
export const ownSessionSchema = z
  .object({
    id: z.string(),
    current: z.boolean().describe('Whether it is the one that asks.'),
    createdAt: z.iso.datetime().describe('When it logged in.'),
    lastUsedAt: z.iso
      .datetime()
      .describe('Its last login, refresh or switch; its last call is at most 15 minutes later.'),
    expiresAt: z.iso.datetime().describe('When it ends unless it is refreshed before.'),
    activeOrganizationId: z.string().describe('The organization that it acts for.'),
    agent: z
      .object({
        browser: z.string().nullable(),
        os: z.string().nullable(),
        deviceType: z.enum(['desktop', 'mobile', 'tablet', 'tv']).nullable(),
        text: z.string().describe('The user agent as it came, its first 512 characters.'),
      })
      .nullable()
      .describe('What logged in or refreshed last, by what it said of itself; null where nothing did.'),
    address: z.string().nullable().describe('Whence that came; null in sessions of earlier versions.'),
  })
  .meta({ title: 'OwnSession' });
export type OwnSession = z.infer<typeof ownSessionSchema>;
