/** A part of the form of a flag: its heading, what it decides, and what the API said of it as a whole. */
import type { ComponentChildren } from 'preact';
import type { Write } from '../../api/use-write.ts';
import { Worded } from '../../design/worded.tsx';
import { worded } from '../../texts/worded.ts';
import type { Drafting } from './draft-form.tsx';
import type { FlagDraft } from './flag-draft.ts';

/** What every part of the form gets. */
export type FlagPartProps = Drafting<FlagDraft>;

interface PartProps {
  readonly title: string;
  readonly hint: string;
  /** Its list, by its name in the API. */
  readonly field: string;
  readonly write: Write;
  readonly children: ComponentChildren;
}

export function Part({ title, hint, field, write, children }: PartProps) {
  const said = write.fault?.details.find((detail) => detail.field === field);
  return (
    <section class="stack">
      <h2>{title}</h2>
      <p class="hint">{hint}</p>
      {said && (
        <p class="fault" role="alert">
          <Worded text={worded(said.message)} />
        </p>
      )}
      {children}
    </section>
  );
}
