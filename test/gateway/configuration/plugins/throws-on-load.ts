/** A plugin that cannot be loaded. */
function readLicence(): string {
  throw new Error('the licence has expired');
}

export const version = readLicence();

export function init(): void {}
