/** A request that was understood and refused, whether by the command or by the server: what the command line shows of it. */
import type { ErrorDetail } from '../../services/shared/errors/api-error.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';

export class Refusal extends Error {
  readonly code: string;
  readonly details: readonly ErrorDetail[];
  constructor(code: string, message: string, details: readonly ErrorDetail[] = []) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.details = details;
  }
}

/** Converts a thrown value to a refusal; an error that is not one of ours keeps its own text. */
export function toRefusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof ApiError) {
    const cause = thrown.status >= 500 && thrown.cause instanceof Error ? ` (${thrown.cause.message})` : '';
    return new Refusal(thrown.code, `${thrown.message}${cause}`, thrown.details);
  }
  return new Refusal('INTERNAL_ERROR', thrown instanceof Error ? thrown.message : String(thrown));
}

/** The refusal as a person reads it: each fault on a line of its own. */
export function refusalText({ message, details }: Refusal): string {
  if (details.length === 0) return message;
  return details
    .map(({ field, message: text, suggestion }) => {
      const meant = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
      return `${field}: ${text}${meant}`;
    })
    .join('\n');
}
