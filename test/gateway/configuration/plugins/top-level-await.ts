/** A plugin that express-gateway cannot require. */
export const version = await Promise.resolve('1.2.0');

export function init(): void {}
