/** The narrow page of those who are not logged in. */
import type { ComponentChildren } from 'preact';
import { texts } from '../texts/texts.ts';

export function Entrance({ children }: { children: ComponentChildren }) {
  return (
    <main class="entrance" id="content" tabIndex={-1}>
      <p class="brand">{texts.value.words.product}</p>
      <div class="card stack">{children}</div>
    </main>
  );
}
