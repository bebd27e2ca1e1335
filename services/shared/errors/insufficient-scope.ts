/** The refusal of a caller who lacks a scope, worded the same by the gateway and the services behind it. */
import type { Scope } from '../access/scopes.ts';
import { ApiError, type ErrorDetail } from './api-error.ts';

/** `details`: the request objects of a batch that need it. */
export function insufficientScope(missing: Scope, details: readonly ErrorDetail[] = []): ApiError {
  return new ApiError('INSUFFICIENT_SCOPE', { text: scopeText(missing), details });
}

/** The text about a missing scope. */
export function scopeText(missing: Scope): string {
  return `The scope ${missing} is required.`;
}
