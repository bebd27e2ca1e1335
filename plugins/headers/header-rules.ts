/** One direction of the policy: the rules as the YAML writes them, and the edit of headers that they become. */
import { z } from 'zod';
import { isIdentityHeader } from '../../services/shared/identity/identity-token.ts';
import type { HeaderEdit } from '../kit/header-edits.ts';
import {
  CREDENTIALS,
  HOP_BY_HOP,
  plainName,
  REPLACED_IN_REQUEST,
  REPLACED_IN_RESPONSE,
} from '../kit/header-names.ts';
import { CLAIM_NAMES, claimOf } from './claims.ts';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const TEXT = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;
const LONGEST_VALUE = 4_000;
const MOST_HEADERS = 50;

/** They describe the body as it passes, which the gateway may read, inflate or compress. */
const OF_THE_BODY = ['content-encoding', 'content-length'];
/** What the configuration may not change, by direction. Credentials of clients stay here, so one of its own may go out. */
const RESERVED = {
  request: new Set([...HOP_BY_HOP, ...OF_THE_BODY, ...without(REPLACED_IN_REQUEST, CREDENTIALS)]),
  response: new Set([
    ...[...HOP_BY_HOP, ...OF_THE_BODY, ...REPLACED_IN_RESPONSE],
    ...['vary', 'x-content-type-options'],
  ]),
} as const;

const text = z
  .string()
  .max(LONGEST_VALUE)
  .regex(TEXT, 'is no value of a header: visible ASCII, with spaces between at most');
const value = z.union([text, z.strictObject({ claim: z.enum(CLAIM_NAMES) })]);

/** The rules of one direction. */
export const rulesSchema = (direction: keyof typeof RESERVED) =>
  z
    .strictObject({
      set: z
        .record(z.string(), value)
        .optional()
        .describe(
          'Header by name: a text, or { claim: NAME }. Whatever else came under this name is dropped, also when the caller has no such claim.',
        ),
      add: z
        .record(z.string(), z.union([text, z.array(text).min(1)]))
        .optional()
        .describe('Header by name: a text or several, beside what came under this name.'),
      remove: z.array(z.string()).min(1).optional().describe('Names of headers that do not pass.'),
    })
    .superRefine((rules, context) => {
      const places = [
        ...(['set', 'add'] as const).flatMap((part) =>
          Object.keys(rules[part] ?? {}).map((name) => ({ name, path: [part, name] as PropertyKey[] })),
        ),
        ...(rules.remove ?? []).map((name, index) => ({ name, path: ['remove', index] as PropertyKey[] })),
      ];
      const seen = new Set<string>();
      for (const { name, path } of places) {
        const message = nameFault(name, direction, seen);
        if (message !== null) context.addIssue({ code: 'custom', path, message });
        seen.add(plainName(name));
      }
      if (places.length === 0) context.addIssue('needs set, add or remove');
      if (places.length > MOST_HEADERS) context.addIssue(`names more than ${MOST_HEADERS} headers`);
    });

export type HeaderRules = z.infer<ReturnType<typeof rulesSchema>>;

function nameFault(name: string, direction: keyof typeof RESERVED, seen: ReadonlySet<string>): string | null {
  const plain = plainName(name);
  if (!NAME.test(name)) return `"${name}" is not the name of a header`;
  if (isIdentityHeader(plain)) return `"${name}" says who calls: only the gateway sets it`;
  if (RESERVED[direction].has(plain)) return `"${name}" is the gateway's own`;
  return seen.has(plain) ? `"${name}" stands here twice` : null;
}

function without(names: readonly string[], others: readonly string[]): readonly string[] {
  return names.filter((name) => !others.includes(name));
}

/** The edit; every spelling of a name that is set or removed goes. */
export function compileRules({ set = {}, add = {}, remove = [] }: HeaderRules): HeaderEdit {
  const dropped = new Set([...Object.keys(set), ...remove].map(plainName));
  const fixed: string[] = [];
  const claimed: { readonly name: string; readonly claim: (typeof CLAIM_NAMES)[number] }[] = [];
  for (const [name, written] of Object.entries(set)) {
    if (typeof written === 'string') fixed.push(name, written);
    else claimed.push({ name, claim: written.claim });
  }
  for (const [name, written] of Object.entries(add)) {
    for (const each of typeof written === 'string' ? [written] : written) fixed.push(name, each);
  }
  return (headers, context) => {
    if (dropped.size > 0) drop(headers, dropped);
    headers.push(...fixed);
    for (const { name, claim } of claimed) {
      const known = claimOf(claim, context);
      if (known !== null) headers.push(name, known);
    }
  };
}

function drop(headers: string[], names: ReadonlySet<string>): void {
  let kept = 0;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    if (names.has(plainName(name))) continue;
    headers[kept] = name;
    headers[kept + 1] = headers[index + 1] as string;
    kept += 2;
  }
  headers.length = kept;
}

/** The rules in words. */
export function tellRules({ set = {}, add = {}, remove = [] }: HeaderRules): string {
  const sets = Object.entries(set).map(([name, written]) =>
    typeof written === 'string' ? `${name} set` : `${name} set from the ${written.claim}`,
  );
  const adds = Object.keys(add).map((name) => `${name} added`);
  return [...sets, ...adds, ...remove.map((name) => `${name} removed`)].join(', ');
}
