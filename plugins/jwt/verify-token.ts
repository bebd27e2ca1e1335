/** Verifies a token of an identity provider (RFC 7519, 8725), and reads from it what counts here. */
import { createHash } from 'node:crypto';
import { decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Logger } from 'pino';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { JwtParams } from './jwt-params.ts';

/** Longest token, in characters: half of what all headers may have together. */
const LONGEST_TOKEN = 8_192;
/** Longest subject, in characters (OpenID Connect Core, section 2). */
const LONGEST_SUBJECT = 255;
/** How far the clock of the issuer may differ, in seconds. */
const LEEWAY_SECONDS = 10;

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** What tokens of access and identity call themselves; any other type is made for another use (RFC 8725, 3.11). */
const TYPE = /^(?:application\/)?(?:at\+)?jwt$/i;

/** What a good token says. */
export interface VerifiedToken {
  /** The subject of this issuer, in a form that names nobody. */
  readonly id: string;
  readonly subject: string;
  /** Null: it names none of the organizations that it may name. */
  readonly organizationId: string | null;
  readonly scopes: readonly string[];
  /** From then on it is expired, in milliseconds. */
  readonly expiresAtMs: number;
}

/** Null for any token that does not count. @throws ApiError SERVICE_UNAVAILABLE when the keys cannot be read */
export type VerifyToken = (token: string) => Promise<VerifiedToken | null>;

export interface VerifyPorts {
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** The keys of the issuer. */
  readonly keys: JWTVerifyGetKey;
  /** The names of the scopes in force. */
  readonly known: readonly string[];
}

export function createVerifyToken(
  params: JwtParams,
  { clock, logger, keys, known }: VerifyPorts,
): VerifyToken {
  const { issuer, audience, algorithms, organization, scopes } = params;
  const mayGive = new Set(scopes.oneOf.filter((scope) => known.includes(scope)));
  let isWarned = false;

  /** A key of the provider that cannot be used, such as one that is too short, is for the operator to know; once is enough. */
  function warn(fault: unknown): void {
    if (isWarned) return;
    isWarned = true;
    logger.warn({ err: fault, issuer }, 'a token cannot be verified by the key that it names');
  }

  function organizationOf(payload: JWTPayload): string | null {
    if (typeof organization === 'string') return organization;
    const said = claimOf(payload, organization.claim);
    return organization.oneOf.find((one) => one === said) ?? null;
  }

  function scopesOf(payload: JWTPayload): string[] {
    const said = claimOf(payload, scopes.claim);
    const given = typeof said === 'string' ? said.split(' ') : Array.isArray(said) ? said : [];
    return [...mayGive].filter((scope) => given.includes(scope));
  }

  function read(payload: JWTPayload): VerifiedToken | null {
    const { sub = '', exp = 0 } = payload;
    if (!isSubject(sub) || isBoundToKey(payload)) return null;
    return {
      id: `jwt_${digestOf(JSON.stringify([issuer, sub])).slice(0, 22)}`,
      subject: sub,
      organizationId: organizationOf(payload),
      scopes: scopesOf(payload),
      expiresAtMs: (exp + LEEWAY_SECONDS) * 1_000,
    };
  }

  return async function verifyToken(token) {
    if (token.length > LONGEST_TOKEN || !COMPACT.test(token) || !hasPlainHeader(token)) return null;
    try {
      const { payload } = await jwtVerify(token, keys, {
        ...{ issuer, audience, algorithms },
        requiredClaims: ['exp', 'sub'],
        clockTolerance: LEEWAY_SECONDS,
        currentDate: new Date(clock.now()),
      });
      return read(payload);
    } catch (fault) {
      if (fault instanceof ApiError) throw fault;
      if (!(fault instanceof errors.JOSEError)) warn(fault);
      return null;
    }
  };
}

/** The SHA-256 of a text, which stands for it where the text itself must not be kept. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Whether its header asks for nothing but the key of a name. Where a key is to be found (`jku`, `jwk`, `x5u`, `x5c`) the
 * configuration says, so those are not read; extensions that must be understood (`crit`) are refused, also known ones.
 */
function hasPlainHeader(token: string): boolean {
  try {
    const { typ = 'JWT', kid = '', crit } = decodeProtectedHeader(token) as Record<string, unknown>;
    return typeof typ === 'string' && TYPE.test(typ) && typeof kid === 'string' && crit === undefined;
  } catch {
    return false;
  }
}

/** A member of the payload itself, and none that every object has. */
function claimOf(payload: JWTPayload, claim: string): unknown {
  return Object.hasOwn(payload, claim) ? payload[claim] : undefined;
}

function isSubject(sub: unknown): boolean {
  return typeof sub === 'string' && sub !== '' && sub.length <= LONGEST_SUBJECT;
}

/** Whoever sends such a token must prove to hold a key (RFC 7800), which nobody asks for here. */
function isBoundToKey(payload: JWTPayload): boolean {
  return Object.hasOwn(payload, 'cnf');
}
