/** What policies of third parties did to `req.headers`, for the backend: they know no other way to change a header. */
import type { IncomingHttpHeaders } from 'node:http';
import { isIdentityHeader } from '../../services/shared/identity/identity-token.ts';
import { applyEdits } from './header-edits.ts';
import { HOP_BY_HOP, plainName, REPLACED_IN_REQUEST } from './header-names.ts';
import type { GatewayRequest } from './request-context.ts';

/** What the gateway sets itself, what frames the message, and the client's credentials; those of policies come apart. */
const KEPT = new Set([...HOP_BY_HOP, ...REPLACED_IN_REQUEST, 'content-encoding']);

/** Makes `out` (name, value, name, value) show what is other in `now` than it was in `before`, whichever way it is spelled. */
function applyChanges(out: string[], before: IncomingHttpHeaders, now: IncomingHttpHeaders): void {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (name) =>
      now[name] !== before[name] && !KEPT.has(plainName(name)) && !isIdentityHeader(name.toLowerCase()),
  );
  if (changed.length === 0) return;
  const plain = new Set(changed.map(plainName));
  for (let index = out.length - 2; index >= 0; index -= 2) {
    if (plain.has(plainName(out[index] as string))) out.splice(index, 2);
  }
  for (const name of changed) {
    const value = now[name];
    for (const each of value === undefined ? [] : [value].flat()) out.push(name, String(each));
  }
}

/** What all policies of the pipeline want of the headers for the backend, `out` (name, value, name, value). */
export function applyPolicies(out: string[], { context, headers }: GatewayRequest): void {
  if (context.headersBefore !== null) applyChanges(out, context.headersBefore, headers);
  out.push(...context.ownCredentials);
  // Last, so that no value of a client replaces what the configuration sets.
  applyEdits(context.requestEdits, out, context);
}
