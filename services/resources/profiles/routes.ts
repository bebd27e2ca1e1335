/** Shows what is known about a person, and erases it (contract.md section 7; GDPR, articles 15 and 17). */
import { z } from 'zod';
import { validationError } from '../../shared/errors/zod-details.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { traitSchema } from '../../shared/model/profile.ts';
import { cleanText } from '../../shared/text/clean-text.ts';
import { selectedWebsite, type WebsiteSelector, websiteSelectorSchema } from '../website-selector.ts';
import { type ErasePersonPorts, eraseProfile } from './erase-profile.ts';
import { knownPerson, MOST_VISITORS } from './known-person.ts';

/** What the routes of people need. */
export type ProfilePorts = ErasePersonPorts;

/** Longest identifier of a person, as ingest takes it, in UTF-16 units. */
const MAX_ID_LENGTH = 128;

const selectorSchema = websiteSelectorSchema('Only what this website holds of the person.');
const namedSchema = selectorSchema.extend({
  profile_id: z.string('Name one person.').describe('The person, as `/identify` and events name it.'),
});
type Named = z.infer<typeof namedSchema>;

const instant = z.iso.datetime().nullable();
const eventFields = {
  events: z
    .number()
    .int()
    .describe('Events that name the person, and those of its visitors that name nobody.'),
  firstEventAt: instant,
  lastEventAt: instant,
};
const knownSchema = z.object({
  success: z.literal(true),
  data: z
    .object({
      profileId: z.string(),
      ...eventFields,
      websites: z.array(
        z.object({
          websiteId: z.string().nullable().describe('Null: known to the organization itself.'),
          traits: z.record(z.string(), traitSchema),
          visitors: z
            .array(z.string())
            .describe('Identifiers (`anonymousId`) of the visitors that this person is.'),
          ...eventFields,
        }),
      ),
      visitorsOmitted: z.boolean().describe(`Whether there are more than ${MOST_VISITORS} visitors.`),
    })
    .meta({ title: 'Profile' }),
});
const EXAMPLE = {
  success: true,
  data: {
    profileId: 'user-42',
    events: 3,
    firstEventAt: '2026-01-15T09:30:00.000Z',
    lastEventAt: '2026-01-15T09:42:00.000Z',
    websites: [
      {
        websiteId: 'web_shop',
        traits: { plan: 'pro' },
        visitors: ['visitor-1'],
        events: 3,
        firstEventAt: '2026-01-15T09:30:00.000Z',
        lastEventAt: '2026-01-15T09:42:00.000Z',
      },
    ],
    visitorsOmitted: false,
  },
};

const COMMON = { rule: { scopes: ['manage:websites'] }, tags: ['profiles'] } as const;
const READING = {
  ...COMMON,
  method: 'GET',
  success: { status: 200, schema: knownSchema, example: EXAMPLE },
  errors: ['VALIDATION_ERROR', 'ACCESS_DENIED', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
} as const;
const ERASING = {
  ...COMMON,
  method: 'DELETE',
  success: { status: 204, schema: z.undefined(), example: undefined },
  errors: ['VALIDATION_ERROR', 'ACCESS_DENIED', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
  audit: 'profile.erase',
} as const;

const WHO_COUNTS =
  'A visitor that was named without a key counts on its own website only, and only where no key names another person for it.';
const WHAT_IS_TOLD = `Traits, visitors and events of a person, by website: of the one that \`website_id\` names, or of all that the caller reaches; with global access, of the organization itself too. At most ${MOST_VISITORS} visitors are listed. ${WHO_COUNTS} NOT_FOUND when nothing is known.`;
const WHAT_GOES = `Removes the traits of the person, the records of which visitors they are, every event that names the person, and their visitors' events that name nobody: from the website that \`website_id\` names or, without it, from the whole organization, which needs global access. ${WHO_COUNTS} NOT_FOUND when nothing is known. The audit record holds a hash of the identifier. After a 503 the erasure continues in the background.`;
const BY_PATH =
  'Percent-encode the identifier. A path cannot carry one with a slash or a backslash, or one of dots alone: send it as `profile_id` to `/v1/profiles`.';
const BY_QUERY = 'Takes every identifier, as `profile_id`.';

const readByPath = defineRoute<ProfilePorts, undefined, WebsiteSelector>({
  ...READING,
  operationId: 'getProfile',
  path: '/v1/profiles/:profileId',
  summary: 'Read what is known of a person',
  description: `${WHAT_IS_TOLD} ${BY_PATH}`,
  query: selectorSchema,
  async handler({ caller, params, query }, ports) {
    const person = { profileId: idOf(params.profileId, 'profileId'), websiteId: selectedWebsite(query) };
    return { body: { success: true, data: await knownPerson(ports, caller, person) } };
  },
});

const readByQuery = defineRoute<ProfilePorts, undefined, Named>({
  ...READING,
  operationId: 'getNamedProfile',
  path: '/v1/profiles',
  summary: 'Read what is known of a person whose identifier no path can carry',
  description: `${WHAT_IS_TOLD} ${BY_QUERY}`,
  query: namedSchema,
  async handler({ caller, query }, ports) {
    const person = { profileId: idOf(query.profile_id, 'profile_id'), websiteId: selectedWebsite(query) };
    return { body: { success: true, data: await knownPerson(ports, caller, person) } };
  },
});

const eraseByPath = defineRoute<ProfilePorts, undefined, WebsiteSelector>({
  ...ERASING,
  operationId: 'eraseProfile',
  path: '/v1/profiles/:profileId',
  summary: 'Erase a person',
  description: `${WHAT_GOES} ${BY_PATH}`,
  query: selectorSchema,
  async handler({ caller, params, query }, ports) {
    const person = { profileId: idOf(params.profileId, 'profileId'), websiteId: selectedWebsite(query) };
    return { written: { targetId: await eraseProfile(ports, caller, person) } };
  },
});

const eraseByQuery = defineRoute<ProfilePorts, undefined, Named>({
  ...ERASING,
  operationId: 'eraseNamedProfile',
  path: '/v1/profiles',
  summary: 'Erase a person whose identifier no path can carry',
  description: `${WHAT_GOES} ${BY_QUERY}`,
  query: namedSchema,
  async handler({ caller, query }, ports) {
    const person = { profileId: idOf(query.profile_id, 'profile_id'), websiteId: selectedWebsite(query) };
    return { written: { targetId: await eraseProfile(ports, caller, person) } };
  },
});

/** The identifier as ingest stored it. */
function idOf(came: string | undefined, field: string): string {
  const id = cleanText(came ?? '');
  if (id !== '' && id.length <= MAX_ID_LENGTH) return id;
  throw validationError([{ field, message: `Allowed: a text of 1 to ${MAX_ID_LENGTH} characters.` }]);
}

export const profileRoutes: readonly Route<ProfilePorts>[] = [
  readByPath,
  readByQuery,
  eraseByPath,
  eraseByQuery,
];
