/** An icon of the sprite, which the build puts into the document; it decorates, so readers of the screen skip it. */
import type { IconName } from './icons.ts';

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true" focusable="false">
      <use href={`#icon-${name}`} />
    </svg>
  );
}
