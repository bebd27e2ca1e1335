/** The parameters of the policy `jwt`: whose tokens count, for what, and what they are worth here. */
import { z } from 'zod';
import { parseUrl } from '../../services/shared/text/parse-url.ts';

/**
 * Signatures that only the holder of a private key can make. A shared secret (HS256) would let whoever verifies tokens make
 * them too, and `none` is no signature (RFC 8725, 2.1).
 */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as [string, ...string[]];

/** Bounds of lists: longer ones name too much to be reviewed. */
const MOST_ORGANIZATIONS = 1_000;
const MOST_SCOPES = 100;

/** Visible characters, without spaces. */
const name = z.string().regex(/^[!-~]{1,512}$/, 'must be 1 to 512 visible characters without spaces');
const claim = z.string().min(1).max(256);
const organizationId = z.string().regex(/^[!-~]{1,128}$/, 'must be the identifier of an organization');

/** Whether keys may be fetched from there: encrypted, or without leaving the machine. */
function isKeySetUrl(text: string): boolean {
  const url = parseUrl(text);
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#')) return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

export const jwtParams = z.strictObject({
  issuer: name.describe('Who issues the tokens: exactly their claim `iss`.'),
  jwksUrl: z
    .string()
    .refine(isKeySetUrl, {
      error: 'must be an https address without credentials, or an http one of this machine',
    })
    .describe('Where the public keys of the issuer are, as a JWK set (RFC 7517).'),
  audience: name.describe('For what the tokens are made: their claim `aud` is it, or holds it.'),
  algorithms: z
    .array(z.enum(ALGORITHMS))
    .min(1)
    .default(['RS256', 'ES256', 'EdDSA'])
    .describe('The signatures that count. Default RS256, ES256 and EdDSA.'),
  organization: z
    .union([
      organizationId,
      z.strictObject({
        claim: claim.describe('The claim that names the organization.'),
        oneOf: z
          .array(organizationId)
          .min(1)
          .max(MOST_ORGANIZATIONS)
          .describe('The organizations that it may name.'),
      }),
    ])
    .describe('Whose requests they are: the identifier of an organization, or a claim and what it may say.'),
  scopes: z
    .strictObject({
      claim: claim.describe('The claim with the scopes: a text with spaces between them, or a list.'),
      oneOf: z
        .array(z.string())
        .min(1)
        .max(MOST_SCOPES)
        .describe('The scopes that it may give; all others in it count for nothing.'),
    })
    .describe('What the caller may do.'),
});

export type JwtParams = z.infer<typeof jwtParams>;
