/** Which media types and encodings a body may come in, and what those of another are told. */
import { ApiError } from '../../services/shared/errors/api-error.ts';

/** Whether the Content-Type is one of `accepted` in UTF-8; none at all is JSON (contract.md section 8). */
export function isAccepted(contentType: string | undefined, accepted: ReadonlySet<string>): boolean {
  if (contentType === undefined || contentType === '' || accepted.has(contentType)) return true;
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (!accepted.has(type.trim())) return false;
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=');
    return name.trim() !== 'charset' || /^"?utf-8"?$/.test(value.trim());
  });
}

export function wrongType(allowed: readonly string[]): ApiError {
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    text: `Send the body as ${allowed.join(' or ')}, in UTF-8.`,
  });
}

export function wrongEncoding(): ApiError {
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', {
    text: 'Send the body plain, or with Content-Encoding gzip, deflate or br.',
  });
}
