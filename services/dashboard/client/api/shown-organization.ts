/** Which organization the page shows: what asks on its behalf says so, and takes no answer for another one. */

let tell: () => string | undefined = () => undefined;

/** Undefined while nobody is logged in. */
export function shownOrganization(): string | undefined {
  return tell();
}

/** Set by what knows the session. */
export function onShownOrganization(teller: () => string | undefined): void {
  tell = teller;
}
