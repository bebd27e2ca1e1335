/** A curl line that works with a new key at once: the most harmless call that its scopes open. */
import type { ApiKeyView, Scope } from '../../api/wire.ts';

export interface CurlLine {
  readonly text: string;
  /** What the call leaves behind: nothing, an event, or a short link. */
  readonly leaves: 'nothing' | 'event' | 'link';
}

interface CurlInput {
  readonly origin: string;
  readonly secret: string;
  readonly scopes: readonly Scope[];
  readonly access: ApiKeyView['access'];
  /** Any website that the key reaches; undefined when there is none, or none is known. */
  readonly websiteId: string | undefined;
}

interface Call {
  readonly target: string;
  readonly method?: 'PATCH';
  readonly body?: object;
  readonly leaves?: CurlLine['leaves'];
}

/** Null when the key's scopes and websites open nothing, such as the organization's settings with some websites. */
export function curlLine({ origin, secret, scopes, access, websiteId }: CurlInput): CurlLine | null {
  const isGlobal = access.level === 'global';
  const website = isGlobal ? {} : { websiteId };
  const hasPlace = isGlobal || websiteId !== undefined;
  // What only reads comes first, what leaves something last.
  const calls: readonly (readonly [Scope, Call | false])[] = [
    ['read:data', { target: '/v1/query/websites' }],
    ['read:links', { target: '/v1/links' }],
    ['manage:flags', { target: '/v1/flags' }],
    ['manage:config', isGlobal && { target: '/v1/organization' }],
    [
      'manage:websites',
      websiteId !== undefined && { target: `/v1/websites/${websiteId}`, method: 'PATCH', body: {} },
    ],
    [
      'track:events',
      hasPlace && { target: '/track', body: { name: 'key_stored', ...website }, leaves: 'event' },
    ],
    [
      'write:links',
      hasPlace && {
        target: '/v1/links',
        body: { name: 'Key stored', targetUrl: 'https://example.com/', ...website },
        leaves: 'link',
      },
    ],
  ];
  const call = calls.find(([scope, each]) => each !== false && scopes.includes(scope))?.[1];
  if (!call) return null;
  const { target, method, body, leaves = 'nothing' } = call;
  const text = [
    'curl -sS',
    ...(method === undefined ? [] : [`-X ${method}`]),
    quoted(origin + target),
    `-H ${quoted(`x-api-key: ${secret}`)}`,
    ...(body === undefined
      ? []
      : [`-H ${quoted('content-type: application/json')}`, `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' ');
  return { text, leaves };
}

/** A word of a shell's line: it stays as it is, whatever stands in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
