/** A plugin without a version. */
export function init(): void {}
