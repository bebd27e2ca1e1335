/** A plugin whose policy has no schema. */
export const version = '1.2.0';

export const policies = [{ name: 'half' }];

export function init(): void {}
