/** A link that a list or a screen before has told: what it says need not be asked for. */
import { recallAll } from '../../api/memory.ts';
import type { LinkView } from '../../api/wire.ts';

/** A link as the API answers it. */
export interface LinkAnswer {
  readonly data: LinkView;
}

export function knownLink(id: string): LinkView | undefined {
  return recallAll('/v1/links')
    .flatMap(({ body }) => (body as { data: LinkView | readonly LinkView[] }).data)
    .find((link) => link.id === id);
}
