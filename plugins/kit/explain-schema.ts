/** What operators are told of a request that nobody sends. */
import { z } from 'zod';

const text = z.string();
const at = z.iso.datetime();

/** What counts now of a limit, and of whom, as `GET /v1/usage/limits` tells it. */
const limitCountSchema = z.object({
  name: text,
  per: z.enum(['organization', 'key', 'session']),
  subject: text,
  window: text,
  counts: text,
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
  reset: at.nullable(),
});

export const explainSchema = z.object({
  method: text,
  path: text,
  verdict: text.describe('The outcome, in a sentence.'),
  status: z
    .int()
    .describe(
      '200: answered when its rule and limits allow; else how it is refused: 400, 404 or 405 whoever asks, 401 or 403 the caller of `as`.',
    ),
  allow: z.array(text).describe('The methods that the path has, of a request with another one (405).'),
  pattern: text.nullable().describe('The path as the configuration writes it; null: none matches.'),
  endpoint: text,
  file: text.describe('Where the endpoint stands, from the folder of the configuration on.'),
  line: z.int().nullable(),
  rule: text,
  admissions: z
    .array(
      z.object({
        needs: z
          .array(text)
          .describe(
            'All of these: scopes, a role, or `operator`, `key`, `credential` (a key or a session), `nobody`, `public`, `optional`, `pages` (of the own domains).',
          ),
        under: text.nullable().describe('The selector that the request names for it; null: any or none.'),
      }),
    )
    .describe('The rule as data: any of them lets in.'),
  pipeline: text,
  policies: z.array(
    z.object({
      policy: text,
      settings: z
        .record(text, z.unknown())
        .describe('Its parameters; texts that may hold a secret are replaced by "…".'),
      conditional: z.boolean().describe('Whether it applies under a condition.'),
      does: text.nullable().describe('What it does with this path, where that is not clear from its name.'),
    }),
  ),
  limits: z.array(text),
  numbers: z
    .array(
      z.object({
        callers: z
          .enum(['known', 'nobody', 'refused'])
          .describe('Whose requests count: with a valid credential, without one, with a refused one.'),
        name: text.describe('`plan`, or the name of the limit.'),
        of: text.nullable().describe('The plan, organization or key whose number it is; null: everybody.'),
        limit: z.int(),
        window: text,
        per: text,
        counts: text,
        enforced: z.boolean().describe('False: it only counts.'),
      }),
    )
    .describe('The limits as data; with `organization`, without the numbers of others.'),
  moreNumbers: z.int().describe('Further numbers of single organizations and keys that are not told.'),
  caller: z
    .object({
      as: text,
      status: z.int().describe('200: the rule lets them in; else how they are refused, 401 or 403.'),
      needs: text.nullable().describe('The scope or role that they lack.'),
      limits: z
        .array(limitCountSchema)
        .nullable()
        .describe('What counts now of their organization; null: none was named, or nobody asks.'),
    })
    .nullable()
    .describe(
      'Of whom `as` asks; null: of nobody in particular, no endpoint answers, or tokens of your own decide (`jwt`).',
    ),
  service: z.object({ name: text, urls: z.array(text).nullable() }).nullable(),
});
