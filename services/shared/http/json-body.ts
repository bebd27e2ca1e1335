/** A JSON body of a service's request: bounded before it is parsed, and what is wrong with one in our words. */
import { ApiError, toApiError } from '../errors/api-error.ts';
import { wrongEncoding, wrongType } from '../errors/media-faults.ts';
import { validationError } from '../errors/zod-details.ts';
import { bodyText } from './body-text.ts';
import { scanJson } from './json-bounds.ts';
import { badJson } from './json-fault.ts';
import type { ParsedBody } from './parsed-body.ts';

export interface JsonBody {
  /** Undefined: the request has no body. */
  readonly value: unknown;
  /** Its length, inflated. */
  readonly bytes: number;
}

/** For a request without a body. */
export const NO_JSON: JsonBody = { value: undefined, bytes: 0 };

/** The value of a whole body in UTF-8; an empty one is `{}`, as express reads it. `parsed`: what somebody read before. @throws ApiError */
export function parseJsonBody(body: Buffer, maxBytes: number, parsed: ParsedBody | null = null): JsonBody {
  const bytes = body.length;
  if (bytes > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE');
  const known = parsed?.takeFor(body);
  if (known) return { value: known.value, bytes };
  const { refusal } = scanJson(body);
  if (refusal !== null) throw refusal;
  const text = bodyText(body);
  if (text === '') return { value: {}, bytes };
  try {
    return { value: JSON.parse(text), bytes };
  } catch {
    throw badJson(text);
  }
}

/** Whether {@link parseJsonBody} reads a body with these headers as express does: in UTF-8, and not encoded. */
export function isPlainUtf8(
  type: string | undefined,
  encoding: string | string[] | undefined = 'identity',
): boolean {
  if (encoding !== 'identity') return false;
  return type === undefined || type === 'application/json' || !/charset/i.test(type);
}

/** Faults of express's body reader (http-errors with a `type`) in our own words; other errors stay. */
export function readerFault(thrown: unknown): unknown {
  const type = thrown instanceof Error && 'type' in thrown ? thrown.type : undefined;
  switch (type) {
    case 'entity.parse.failed':
      return badJson(textOf(thrown, 'body'));
    case 'entity.verify.failed':
      return toApiError(thrown instanceof Error ? thrown.cause : thrown);
    case 'entity.too.large':
      return new ApiError('PAYLOAD_TOO_LARGE', { cause: thrown });
    case 'charset.unsupported':
      return wrongType(`charset=${textOf(thrown, 'charset')}`, ['application/json']);
    case 'encoding.unsupported':
      return wrongEncoding(textOf(thrown, 'encoding'));
    case 'request.aborted':
    case 'request.size.invalid':
      return new ApiError('VALIDATION_ERROR', { text: 'The body ended early.', cause: thrown });
    default:
      return isInflateFault(thrown)
        ? validationError([{ field: 'body', message: 'The body is not what its Content-Encoding says.' }])
        : thrown;
  }
}

/** The fields that the body reader sets on its fault. */
function textOf(thrown: unknown, name: 'body' | 'charset' | 'encoding'): string {
  const value = (thrown as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}

/**
 * zlib's faults carry a code such as Z_DATA_ERROR or ERR__ERROR_FORMAT_PADDING_1 (brotli), and status 400 from
 * body-parser.
 */
function isInflateFault(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown) || !('status' in thrown)) return false;
  return thrown.status === 400 && /^(?:Z_|ERR_|ERR__)/.test(String(thrown.code));
}
