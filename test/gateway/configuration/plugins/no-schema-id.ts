/** A plugin whose schema has no $id. */
export const version = '1.2.0';

export const schema = { type: 'object' };

export function init(): void {}
