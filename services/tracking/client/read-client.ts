/** Reads the client of a request from its headers: device, crawler or not, place, and what tells visitors apart. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ClientTraits } from './client-traits.ts';
import { createReadAgent } from './read-agent.ts';
import { readPlace } from './read-place.ts';

export interface ClientRequest {
  /** As they came from the gateway, which writes the client's address and removes what an untrusted peer says of places. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether the request carries neither key nor session. */
  readonly isKeyless: boolean;
}

/** Reads the client of a request; asked once per request, whatever its number of events. */
export type ReadClient = (request: ClientRequest) => ClientTraits;

/** The reader with its bounded memory of user agents; one per service. */
export function createReadClient(): ReadClient {
  const readAgent = createReadAgent();
  return function readClient({ headers, isKeyless }) {
    const { device, isCrawler } = readAgent(headers as IncomingHttpHeaders);
    return {
      device,
      isCrawler,
      place: readPlace(headers),
      isKeyless,
      trace: `${textOf(headers['x-forwarded-for'])}\n${textOf(headers['user-agent'])}`,
    };
  };
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
