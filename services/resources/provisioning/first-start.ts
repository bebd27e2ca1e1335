/** What an empty store gets when no file provisions it: one organization that works at once (contract.md section 8). */
import { hashPassword } from '../../shared/credentials/password.ts';
import { EVERYWHERE } from '../../shared/model/user.ts';
import { type CreateApiKeyPorts, createApiKey } from '../api-keys/create-api-key.ts';

const OWNER_EMAIL = 'owner@example.com';
const DOMAIN = 'example.com';
/** Bytes of the owner's password: 144 bits, 24 characters. */
const PASSWORD_BYTES = 18;

/** What was created. The secrets exist only here: the store holds their hashes. */
export interface FirstStart {
  readonly organizationId: string;
  readonly email: string;
  readonly password: string;
  readonly websiteId: string;
  /** Text of a key with every scope that a key may hold, and global access. */
  readonly key: string;
  /** Printed once. */
  readonly text: string;
}

/**
 * Fills an empty store; null when there is any organization. The organization is written last, so that an interrupted
 * first start is repeated in full. `baseUrl` is where clients reach the gateway, without a slash at its end;
 * `hasDashboard` says whether it serves the pages there, so that their address is printed.
 */
export async function firstStart(
  ports: CreateApiKeyPorts,
  options: { readonly baseUrl: string; readonly keyPrefix: string; readonly hasDashboard: boolean },
): Promise<FirstStart | null> {
  const { documents, ids, randomBytes } = ports;
  if ((await documents.allOrganizations()).length > 0) return null;

  const organizationId = ids.create('org');
  const websiteId = ids.create('web');
  const password = Buffer.from(randomBytes(PASSWORD_BYTES)).toString('base64url');
  const userId = await createOwner(ports, password);
  await documents.memberships.insert({ id: ids.create('mem'), organizationId, userId, role: 'owner' });
  await documents.websites.insert({
    id: websiteId,
    organizationId,
    name: 'Example',
    domain: DOMAIN,
    isPublic: false,
    settings: {},
  });
  const { secret } = await createApiKey(
    ports,
    { organizationId, createdBy: userId, prefix: options.keyPrefix },
    { name: 'First key', scopes: [...ports.scopes().ofKeys], access: { level: 'global' } },
  );
  await documents.organizations.insert({
    id: organizationId,
    organizationId,
    name: 'My organization',
    plan: 'free',
    limits: {},
  });
  const made = { organizationId, email: OWNER_EMAIL, password, websiteId, key: secret };
  return { ...made, text: textOf(made, options) };
}

/** The owner; one left by an interrupted first start is replaced, since nobody knows its password. */
async function createOwner({ documents, ids }: CreateApiKeyPorts, password: string): Promise<string> {
  for (const left of await documents.usersOf(OWNER_EMAIL)) await documents.users.remove(left.id, left.id);
  const id = ids.create('usr');
  const passwordHash = await hashPassword(password);
  await documents.users.insert({
    id,
    organizationId: id,
    email: OWNER_EMAIL,
    home: EVERYWHERE,
    passwordHash,
    isOperator: true,
  });
  return id;
}

function textOf(
  made: Omit<FirstStart, 'text'>,
  { baseUrl, hasDashboard }: { readonly baseUrl: string; readonly hasDashboard: boolean },
): string {
  const event = {
    name: 'screen_view',
    websiteId: made.websiteId,
    anonymousId: 'visitor-1',
    sessionId: 'session-1',
    path: '/welcome',
  };
  const query = { parameters: ['summary_metrics', 'pages'], preset: 'today' };
  const curl = (path: string, body: unknown) =>
    `curl -sS '${baseUrl}${path}' -H 'x-api-key: ${made.key}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  return [
    'This is the first start. The key and the password are shown this once; only their hashes are stored.',
    '',
    `  Organization  ${made.organizationId} (plan free)`,
    `  Owner         ${made.email}, password ${made.password}`,
    `  Website       ${made.websiteId} (${DOMAIN})`,
    `  API key       ${made.key}`,
    '',
    ...(hasDashboard ? ['Open the dashboard, and log in as the owner:', '', `${baseUrl}/dashboard`, ''] : []),
    'Track an event:',
    '',
    curl('/track', event),
    '',
    'Query it:',
    '',
    curl(`/v1/query?website_id=${made.websiteId}`, query),
    '',
  ].join('\n');
}
