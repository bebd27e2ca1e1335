/** What an answer is kept under: all of a request and of its caller that its backend may answer by. */
import { createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { GatewayCaller } from '../../services/shared/access/caller.ts';
import { isIdentityHeader } from '../../services/shared/identity/identity-token.ts';
import { CREDENTIALS, HOP_BY_HOP, plainName, REPLACED_IN_REQUEST } from '../kit/header-names.ts';
import type { GatewayRequest } from '../kit/request-context.ts';
import { linesOf } from './sent-headers.ts';

/** Whether callers of one organization with the same rights share answers, or each caller has its own. */
export type SharedBy = 'organization' | 'caller';

const known = new WeakMap<GatewayCaller, string>();

/** A text of any length as a short one that nobody else's becomes. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** The rights of a caller, as a digest; a user's answers are the user's own. */
function rightsOf(caller: GatewayCaller): string {
  let text = known.get(caller);
  if (text === undefined) {
    const { kind, organizationId, role, plan, scopes, access } = caller;
    // A token of an identity provider names a user in its own way: its `id` stands for issuer and subject.
    const userId = kind === 'jwt' ? caller.id : caller.userId;
    const websites = access.level === 'global' ? '*' : [...access.websiteIds].sort();
    const rights = [kind, organizationId, userId, role, plan, [...scopes].sort(), access.level, websites];
    text = digestOf(JSON.stringify(rights));
    known.set(caller, text);
  }
  return text;
}

/** How the client addressed the gateway, of which a foreign backend is told; these count only from a trusted proxy. */
const ADDRESSED = ['x-forwarded-host', 'x-forwarded-proto'] as const;

/** The key without the headers that its answer may depend on; a digest. */
export function keyOf(
  req: GatewayRequest,
  caller: GatewayCaller,
  sharedBy: SharedBy,
  isFromTrustedProxy: (req: GatewayRequest) => boolean,
): string {
  const { endpoint, backend, target } = req.context;
  const { host = '' } = req.headers;
  const who = sharedBy === 'caller' ? `${caller.id} ${rightsOf(caller)}` : rightsOf(caller);
  const told = ADDRESSED.map((name) => req.headers[name] ?? '');
  const isTrusted = told.some((value) => value !== '') && isFromTrustedProxy(req);
  const isEncrypted = (req.socket as TLSSocket).encrypted === true;
  return digestOf(
    JSON.stringify([who, endpoint.name, backend, target ?? req.url, host, ...told, isTrusted, isEncrypted]),
  );
}

/** The address alone, whoever asks and whichever backend answers: what a successful write makes old; a digest. */
export function addressOf({ url, context }: GatewayRequest): string {
  return digestOf(context.target ?? url);
}

/** What the gateway writes itself: an answer that depends on it suits nobody else. */
const OWN = new Set<string>([...HOP_BY_HOP, ...REPLACED_IN_REQUEST]);
/** A client's credentials, which the backend never sees unless a policy set one; and the host, which is part of every key. */
const UNSEEN = [...CREDENTIALS, 'host'];

/** Whether an answer to what was sent can be kept although it depends on these headers. */
export function canVaryBy(names: readonly string[], sent: readonly string[]): boolean {
  return names.every((name) => {
    if (UNSEEN.includes(name)) return linesOf(sent, name).length === 0;
    return !(OWN.has(plainName(name)) || isIdentityHeader(plainName(name)));
  });
}

/** The key with what was sent of these headers; a digest. */
export function withHeaders(key: string, sent: () => readonly string[], names: readonly string[]): string {
  if (names.length === 0) return key;
  const lines = sent();
  return digestOf(`${key}${JSON.stringify([names, names.map((name) => linesOf(lines, name))])}`);
}
