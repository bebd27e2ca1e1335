/** Checks once, before anything is measured, that a target does its work: a fast answer that is wrong is worth nothing. */
import { IDENTITY_SEEN_HEADER, PROBE_HEADER, UPSTREAM_BODY } from './nginx-upstream.ts';
import type { RunningTarget } from './target.ts';
import type { LoadRequest } from './wrk-load.ts';

const RATE_LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** @throws when the target does not pass `request` on, or does so without one of the steps that it should take. */
export async function probeTarget(target: RunningTarget, request: LoadRequest): Promise<void> {
  const first = await ask(target, request, request.headers);
  expect(target, request, first.status === 200, `answered ${first.status}: ${first.body}`);
  expect(target, request, first.body === UPSTREAM_BODY, `changed the upstream's body: ${first.body}`);
  if (target.keylessStatus === undefined) return;
  const { 'x-api-key': _key, ...keyless } = request.headers;
  const refused = await ask(target, request, keyless);
  expect(
    target,
    request,
    refused.status === target.keylessStatus,
    `answered ${refused.status} without a key`,
  );
  expect(target, request, first.headers.get(IDENTITY_SEEN_HEADER) === 'present', 'passed no identity on');
  if (!target.tellsLimits) return;

  const second = await ask(target, request, request.headers);
  expect(
    target,
    request,
    RATE_LIMIT_HEADERS.every((name) => /^\d+$/.test(second.headers.get(name) ?? '')),
    'sent no rate-limit headers',
  );
  const left = [first, second].map((answer) => Number(answer.headers.get('x-ratelimit-remaining')));
  expect(target, request, left[0] === Number(left[1]) + 1, 'did not count a request');
}

async function ask(target: RunningTarget, request: LoadRequest, headers: Readonly<Record<string, string>>) {
  const answer = await fetch(target.url + request.path, {
    method: request.method,
    headers: { ...headers, [PROBE_HEADER]: '1' },
    body: request.body,
  });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}

function expect(target: RunningTarget, request: LoadRequest, holds: boolean, fault: string): void {
  if (!holds) throw new Error(`${target.name} ${fault} (${request.method} ${request.path})`);
}
