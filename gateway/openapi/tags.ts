/** The groups of operations in the document, and what each is about. */
import type { RouteDescription } from '../../services/shared/http/route.ts';
import type { Json } from './json.ts';

const TAGS: Readonly<Record<string, string>> = {
  query: 'Datasets, batches of them, and custom SQL over the events of a website.',
  tracking: 'Takes in events, from servers with a key and from browsers without one.',
  websites: 'The websites of the organization.',
  visitors: 'Erases what is stored of a visitor.',
  profiles: 'What is known of a person, and its erasure.',
  links: 'Short links and where they lead.',
  flags: 'Feature flags and their evaluation.',
  'target-groups': 'Groups of users that flags name.',
  organization: 'The organization itself: its settings, plan and usage.',
  integrations: 'Configuration of what the organization connects to.',
  auth: 'Sessions: logging in and out, switching organizations, passwords and invitations.',
  'api-keys': 'Keys of the organization; sessions of owners and admins only.',
  members: 'Who belongs to the organization; sessions of owners and admins only.',
  audit: 'Who wrote what, and when.',
  usage: 'What the organization asked, and what became of it.',
  platform: 'What the gateway decides for everybody; people who run the service only.',
  gateway: 'What the gateway says of itself: health, identity keys and this description.',
};

/** The tags in use, in the order above; unlisted ones come last, described by their routes. */
export function tagsOf(routes: readonly RouteDescription[]): Json[] {
  const used = new Set(routes.flatMap((route) => route.tags));
  const known = Object.keys(TAGS).filter((name) => used.has(name));
  const unknown = [...used].filter((name) => TAGS[name] === undefined);
  const told = (name: string) => routes.find(({ about, tags }) => about !== undefined && tags.includes(name));
  return [
    ...known.map((name) => ({ name, description: TAGS[name] })),
    ...unknown.map((name) => {
      const about = told(name)?.about;
      return about === undefined ? { name } : { name, description: about };
    }),
  ];
}
