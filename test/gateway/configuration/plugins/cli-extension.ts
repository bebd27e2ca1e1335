/** A plugin of express-gateway that adds a command. */
export const version = '1.2.0';

export function init(context: Record<string, (what: unknown) => void>): void {
  context.registerCLIExtension?.(class {});
}
