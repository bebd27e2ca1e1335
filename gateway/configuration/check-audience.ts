/** Keeps the identity tokens of our own services from other backends: a service lets in any request with a token made for it. */
import type { ServiceName } from '../../services/shared/identity/identity-token.ts';
import type { Cursor } from './cursor.ts';
import { type OwnAddresses, placeOf, variableOf } from './own-addresses.ts';

/**
 * Checks the service endpoint at `place` with the addresses `urls`: with an audience it must be that service, by its variable
 * and by the variable's value; without one it must be none of our own services.
 */
export function checkAudience(
  place: Cursor,
  audience: ServiceName | null,
  urls: readonly string[],
  own: OwnAddresses,
): void {
  if (audience === null) checkForeign(place, urls, own);
  else checkOwn(place, audience, urls, own);
}

function checkOwn(place: Cursor, audience: ServiceName, urls: readonly string[], own: OwnAddresses): void {
  const variable = variableOf(audience);
  const places = own.get(audience) ?? new Set();
  const isWritten = place.at('url').written === variable && place.at('urls').value === undefined;
  if (isWritten && urls.every((url) => places.has(placeOf(url) ?? ''))) return;
  addressesAt(place).report(
    `is not exactly ${variable}; with audience: ${audience} it would get tokens that the ${audience} service accepts`,
    { came: audience, allowed: [`url: ${variable}`], candidates: [] },
  );
}

function checkForeign(place: Cursor, urls: readonly string[], own: OwnAddresses): void {
  for (const url of urls) {
    const spelt = placeOf(url) ?? '';
    const [service] = [...own].find(([, places]) => places.has(spelt)) ?? [];
    if (service === undefined) continue;
    addressesAt(place).report(`${url} is the ${service} service, which refuses requests without identity`, {
      came: url,
      allowed: [`url: ${variableOf(service)} with audience: ${service}`],
      candidates: [],
    });
  }
}

function addressesAt(place: Cursor): Cursor {
  const urls = place.at('urls');
  return urls.value === undefined ? place.at('url') : urls;
}
