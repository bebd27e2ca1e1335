/** Reads the headers in which a client proves who it is, from its raw headers, which alone show repeats: Node joins or drops them. */

/** The texts of both headers; empty where there is none. */
export interface CredentialHeaders {
  /** `x-api-key` */
  readonly apiKey: string;
  /** Of `Authorization: Bearer`; another scheme is none. */
  readonly bearer: string;
}

const BEARER = /^bearer(?:[ \t]+(.*))?$/is;

/** Null when either header has two lines. */
export function readCredentialHeaders(rawHeaders: readonly string[]): CredentialHeaders | null {
  let apiKey: string | undefined;
  let authorization: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 9 && name.toLowerCase() === 'x-api-key') {
      if (apiKey !== undefined) return null;
      apiKey = rawHeaders[index + 1] as string;
    } else if (name.length === 13 && name.toLowerCase() === 'authorization') {
      if (authorization !== undefined) return null;
      authorization = rawHeaders[index + 1] as string;
    }
  }
  return { apiKey: apiKey?.trim() ?? '', bearer: authorization === undefined ? '' : bearerOf(authorization) };
}

function bearerOf(authorization: string): string {
  return BEARER.exec(authorization.trim())?.[1]?.trim() ?? '';
}
