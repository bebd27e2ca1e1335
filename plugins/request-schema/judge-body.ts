/** Judges one body by a schema: within the bounds of JSON that hold everywhere, and with a bounded list of faults. */
import { isUtf8 } from 'node:buffer';
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import { validationError } from '../../services/shared/errors/zod-details.ts';
import { bodyText } from '../../services/shared/http/body-text.ts';
import { scanJson } from '../../services/shared/http/json-bounds.ts';
import { badJson } from '../../services/shared/http/json-fault.ts';
import { type CompiledSchema, MOST_READ, TooMuchText } from './compile-schema.ts';
import { faultDetails } from './fault-details.ts';

/** Largest body whose faults are all looked for, in bytes; of a larger one the first is told. */
const ALL_FAULTS_BYTES = 4_096;

const NO_UTF8 = validationError([{ field: 'body', message: 'The body is not UTF-8.' }]);

const TOO_MUCH_TEXT = validationError([
  {
    field: 'body',
    message: `The texts that must match a pattern: at most ${MOST_READ} characters together.`,
  },
]);

/** The 400 of a body that is not what the schema allows; null: it is. */
export function judgeBody(body: Buffer, schema: CompiledSchema): ApiError | null {
  const { refusal } = scanJson(body);
  if (refusal !== null) return refusal;
  if (!isUtf8(body)) return NO_UTF8;
  const text = bodyText(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return badJson(text);
  }
  try {
    const first = schema.first(value);
    if (first === null) return null;
    const all = body.length <= ALL_FAULTS_BYTES ? schema.all(value) : null;
    return validationError(faultDetails(all ?? first));
  } catch (fault) {
    if (fault instanceof TooMuchText) return TOO_MUCH_TEXT;
    throw fault;
  }
}
