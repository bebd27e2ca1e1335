/** The command that asks the API what the page asked it: with a key in place of the session, or by a login where no key reaches. */
import { type Request, targetOf } from '../api/answer.ts';

/** A text as one word of a shell, whatever stands in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function curlOf(request: Request, origin: string): string {
  const { method = 'GET', body } = request;
  const parts = [`curl -sS ${quoted(origin + targetOf(request))}`, '-H "x-api-key: $TIDEGATE_KEY"'];
  if (method !== 'GET' && method !== 'POST') parts.push(`-X ${method}`);
  if (body !== undefined) {
    parts.push("-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  }
  return parts.join(' \\\n  ');
}

/** What anybody may ask. */
export function publicCurlOf(request: Pick<Request, 'path' | 'query'>, origin: string): string {
  return `curl -sS ${quoted(origin + targetOf(request))}`;
}

/**
 * What no API key reaches: the command logs in for the organization that the page shows, asks, and logs out. Email and
 * password come from variables, so that they stand in no list of processes; printf is built into the shell.
 */
export function sessionCurlOf(
  request: Pick<Request, 'path' | 'query'>,
  origin: string,
  organizationId: string,
): string {
  const from = `-H ${quoted(`origin: ${origin}`)}`;
  const organization = quoted(JSON.stringify(organizationId));
  return [
    'jar=$(mktemp)',
    `json() { printf '%s' "$1" | sed 's/[\\\\"]/\\\\&/g'; }`,
    [
      `printf '{"email":"%s","password":"%s","organizationId":%s}' "$(json "$TIDEGATE_EMAIL")" "$(json "$TIDEGATE_PASSWORD")" ${organization} |`,
      `curl -sSf -o /dev/null -c "$jar" ${quoted(`${origin}/v1/auth/login`)}`,
      from,
      "-H 'content-type: application/json'",
      '--data-binary @- &&',
      `curl -sS -b "$jar" ${quoted(origin + targetOf(request))}`,
      `${from} &&`,
      `curl -sS -o /dev/null -b "$jar" -X POST ${quoted(`${origin}/v1/auth/logout`)}`,
      from,
    ].join(' \\\n  '),
    'rm -f "$jar"',
  ].join('\n');
}
