/** A plugin that registers its policies too late. */
export const version = '1.2.0';

export async function init(): Promise<void> {}
