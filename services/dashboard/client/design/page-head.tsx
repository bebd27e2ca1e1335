/** The head of a screen: its title, which is the document's too, a sentence, and its acts. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { texts } from '../texts/texts.ts';

interface PageHeadProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  /** Acts, at the end of the line. */
  readonly children?: ComponentChildren;
}

export function PageHead({ title, lead, children }: PageHeadProps) {
  const product = texts.value.words.product;
  useEffect(() => {
    document.title = `${title} – ${product}`;
  }, [title, product]);
  return (
    <header class="page-head">
      <div class="row spread">
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {children && <div class="row screen-only">{children}</div>}
      </div>
      {lead && <p class="lead">{lead}</p>}
    </header>
  );
}
