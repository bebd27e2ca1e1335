/** The answers of a service to what is thrown: the body of every error, and what the log gets. */
import type { Logger } from 'pino';
import { type ApiError, toApiError } from '../errors/api-error.ts';
import { type ErrorBody, errorBody } from '../errors/error-body.ts';
import type { Route } from './route.ts';
import type { ServiceAnswer } from './service-exchange.ts';
import { JSON_TYPE } from './success-answer.ts';

export interface AnswerError {
  /** `path`: that of the request, as its route declares it if one was found. */
  answer(thrown: unknown, requestId: string, method: string, path: string): ServiceAnswer;
  /** The body of the error that ends a stream; a client that left is no fault. */
  fault(thrown: unknown, requestId: string, signal: AbortSignal): ErrorBody;
}

export function createAnswerError<Ports>(routes: readonly Route<Ports>[], logger: Logger): AnswerError {
  const extra = new Map(routes.map((route) => [`${route.method} ${route.path}`, route.errorFields ?? {}]));

  function log(error: ApiError, requestId: string): void {
    if (error.status >= 500) logger.error({ requestId, err: error.cause ?? error }, error.message);
  }

  return {
    answer(thrown, requestId, method, path) {
      const error = toApiError(thrown);
      log(error, requestId);
      const body = JSON.stringify({ ...errorBody(error, requestId), ...extra.get(`${method} ${path}`) });
      const headers: Record<string, string> = {};
      if (error.status === 401) headers['www-authenticate'] = 'Bearer';
      for (const header in error.headers) headers[header.toLowerCase()] = error.headers[header] as string;
      headers['content-type'] = JSON_TYPE;
      headers['content-length'] = `${Buffer.byteLength(body)}`;
      return {
        status: error.status,
        statusMessage: error.code,
        headers,
        body: method === 'HEAD' ? null : body,
      };
    },
    fault(thrown, requestId, signal) {
      const error = toApiError(thrown);
      if (!signal.aborted) log(error, requestId);
      return errorBody(error, requestId);
    },
  };
}
