/** The one place that turns an error into the JSON body of contract.md section 2. */
import type { ApiError, ErrorDetail } from './api-error.ts';

/** The error body on the wire. */
export interface ErrorBody {
  readonly success: false;
  readonly error: string;
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
  readonly details: readonly ErrorDetail[];
  readonly [field: string]: unknown;
}

/** The body of `error` for the request `requestId`; `error.fields` (those of a 429) are added to the common ones. */
export function errorBody(error: ApiError, requestId: string): ErrorBody {
  return {
    success: false,
    error: error.message,
    code: error.code,
    message: error.message,
    requestId,
    details: error.details,
    ...error.fields,
  };
}
