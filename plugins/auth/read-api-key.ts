/** Reads the API key of a request from its raw headers: both header forms, repeats and contradictions (contract.md section 3). */

/** `none`: no key; `refused`: the headers cannot be one key. */
export type KeyReading = { readonly key: string } | 'none' | 'refused';

const BEARER = /^bearer(?:[ \t]+(.*))?$/is;

/**
 * The key in `x-api-key` or `Authorization: Bearer`. An empty value or another scheme is not a key; two lines of either
 * header, or two different keys, are refused. Only raw headers show repeats: Node joins or drops them.
 */
export function readApiKey(rawHeaders: readonly string[]): KeyReading {
  let apiKey: string | undefined;
  let authorization: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 9 && name.toLowerCase() === 'x-api-key') {
      if (apiKey !== undefined) return 'refused';
      apiKey = rawHeaders[index + 1] as string;
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') {
      if (authorization !== undefined) return 'refused';
      authorization = rawHeaders[index + 1] as string;
    }
  }
  const plain = apiKey?.trim() ?? '';
  const bearer = authorization === undefined ? '' : bearerKey(authorization);
  if (plain !== '' && bearer !== '' && plain !== bearer) return 'refused';
  const key = plain || bearer;
  return key === '' ? 'none' : { key };
}

function bearerKey(authorization: string): string {
  return BEARER.exec(authorization.trim())?.[1]?.trim() ?? '';
}
