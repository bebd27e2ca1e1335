/** What the gateway knows of a caller, as the value of a header. */
import type { TokenCaller } from '../../services/shared/access/caller.ts';
import type { PolicyContext } from '../kit/policy.ts';

/** Null: this request has none, and the header is absent. */
type Claim = (context: PolicyContext) => string | null;

const caller = ({ principal }: PolicyContext) => principal?.caller;

/** The caller with a token of an identity provider. */
function tokenOf(context: PolicyContext): TokenCaller | null {
  const found = caller(context);
  return found?.kind === 'jwt' ? found : null;
}

/** By the name that the YAML uses. */
const CLAIMS = {
  organization: (context) => caller(context)?.organizationId ?? null,
  credential: (context) => (caller(context)?.kind === 'public' ? null : (caller(context)?.id ?? null)),
  kind: (context) => caller(context)?.kind ?? null,
  issuer: (context) => tokenOf(context)?.issuer ?? null,
  subject: (context) => tokenOf(context)?.subject ?? null,
  user: (context) => caller(context)?.userId ?? null,
  role: (context) => caller(context)?.role ?? null,
  plan: (context) => caller(context)?.plan ?? null,
  scopes: (context) => caller(context)?.scopes.join(' ') || null,
  address: ({ address }) => address,
  endpoint: ({ endpoint }) => endpoint.name,
} as const satisfies Record<string, Claim>;

export type ClaimName = keyof typeof CLAIMS;
export const CLAIM_NAMES = Object.keys(CLAIMS) as [ClaimName, ...ClaimName[]];

/** What a header can hold as it is: visible ASCII and spaces between. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;

/** The value; what a header cannot hold is percent-encoded (RFC 3986, 2.1). */
export function claimOf(name: ClaimName, context: PolicyContext): string | null {
  const value = CLAIMS[name](context);
  return value === null || PLAIN.test(value) ? value : encodeURIComponent(Buffer.from(value).toString());
}
