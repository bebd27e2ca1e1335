/** Keeps the credentials of a client from a policy of a third party, and finds those that the policy sets for the backend. */
import type { IncomingMessage } from 'node:http';
import { CREDENTIALS } from './header-names.ts';

/**
 * Takes the client's credentials out of `req`, in whose place stand those of `own` (name, value, name, value), set by
 * policies before. The function puts them back, and returns what was set meanwhile in the form of `own`. Call it once.
 */
export function hideCredentials(req: IncomingMessage, own: readonly string[]): () => string[] {
  const { headers, rawHeaders } = req;
  const values = CREDENTIALS.map((name) => headers[name]);
  const lines = takeLines(rawHeaders);
  for (const name of CREDENTIALS) delete headers[name];
  for (let index = 0; index < own.length; index += 2) headers[own[index] as string] = own[index + 1];
  return () => {
    const set: string[] = [];
    for (const [index, name] of CREDENTIALS.entries()) {
      const found = headers[name];
      if (found !== undefined) set.push(name, String(found));
      if (values[index] === undefined) delete headers[name];
      else headers[name] = values[index];
    }
    takeLines(rawHeaders);
    rawHeaders.push(...lines);
    return set;
  };
}

/** Removes the lines of credentials. */
function takeLines(rawHeaders: string[]): string[] {
  const taken: string[] = [];
  const left: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const to = CREDENTIALS.includes(name.toLowerCase()) ? taken : left;
    to.push(name, rawHeaders[index + 1] as string);
  }
  rawHeaders.splice(0, rawHeaders.length, ...left);
  return taken;
}
