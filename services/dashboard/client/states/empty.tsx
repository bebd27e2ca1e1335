/** Says that there is nothing, and what to do about it. */
import type { ComponentChildren } from 'preact';

interface EmptyProps {
  readonly title: string;
  /** Where it stands under the headings of the page: a part of a section, or right below the title. */
  readonly level?: 2 | 3;
  readonly children?: ComponentChildren;
}

export function Empty({ title, level = 3, children }: EmptyProps) {
  const Heading = `h${level}` as const;
  return (
    <div class="empty">
      <Heading>{title}</Heading>
      {children}
    </div>
  );
}
