/** A plugin that loads, but cannot be started. */
export const version = '1.2.0';

export function init(): void {
  throw new TypeError('the address of the directory server is missing');
}
