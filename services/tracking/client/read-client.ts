/** Reads the client of a request from its headers: device, crawler or not, place, and what distinguishes visitors. */
import type { IncomingHttpHeaders } from 'node:http';
import type { LocateAddress } from '../geoip/place-database.ts';
import { type ClientTraits, NO_PLACE } from './client-traits.ts';
import { createReadAgent } from './read-agent.ts';
import { readPlace } from './read-place.ts';

export interface ClientRequest {
  /** As received from the gateway, which writes the client's address and removes geo headers of untrusted peers. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether the request carries neither key nor session. */
  readonly isKeyless: boolean;
}

/** Reads the client of a request; called once per request, whatever its number of events. */
export type ReadClient = (request: ClientRequest) => ClientTraits;

/**
 * The reader with its bounded cache of user agents; one per service. `locate` looks up the place of a visitor's address if
 * no header has it; the address of a request with a key is a server's.
 */
export function createReadClient(locate: LocateAddress = () => NO_PLACE): ReadClient {
  const readAgent = createReadAgent();
  return function readClient({ headers, isKeyless }) {
    const { device, isCrawler } = readAgent(headers as IncomingHttpHeaders);
    const address = textOf(headers['x-forwarded-for']);
    const told = readPlace(headers);
    return {
      device,
      isCrawler,
      place: told.country === null && isKeyless ? locate(address) : told,
      isKeyless,
      trace: `${address}\n${textOf(headers['user-agent'])}`,
    };
  };
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}
