/** How a policy answers by itself; errors go to `next` instead. */
import type { ServerResponse } from 'node:http';
import type { PolicyRequest } from './policy.ts';
import { sendJson, sendNothing } from './reply.ts';
import type { GatewayRequest } from './request-context.ts';

/** Answers with `value` as JSON and the headers that every answer carries. */
export function answerJson(req: PolicyRequest, res: ServerResponse, status: number, value: unknown): void {
  sendJson(req as GatewayRequest, res, status, JSON.stringify(value));
}

/** Answers 204 with the headers that every answer carries. */
export function answerNothing(req: PolicyRequest, res: ServerResponse): void {
  sendNothing(req as GatewayRequest, res);
}
