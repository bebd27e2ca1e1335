/** A plugin of express-gateway that asks for its users. */
export const version = '1.2.0';

export function init(context: Record<string, (what: unknown) => void>): void {
  const { services } = context as unknown as { services: { user: { find(): void } } };
  services.user.find();
}
