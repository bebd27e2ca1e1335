/** Reads the API key of a request from its raw headers: both header forms, repeats and contradictions (contract.md section 3). */
import { readCredentialHeaders } from '../kit/credential-headers.ts';

/** `none`: no key; `refused`: the headers cannot be one key. */
export type KeyReading = { readonly key: string } | 'none' | 'refused';

/**
 * The key in `x-api-key` or `Authorization: Bearer`. An empty value or another scheme is not a key; two lines of either
 * header, or two different keys, are refused.
 */
export function readApiKey(rawHeaders: readonly string[]): KeyReading {
  const read = readCredentialHeaders(rawHeaders);
  if (read === null) return 'refused';
  const { apiKey, bearer } = read;
  if (apiKey !== '' && bearer !== '' && apiKey !== bearer) return 'refused';
  const key = apiKey || bearer;
  return key === '' ? 'none' : { key };
}
