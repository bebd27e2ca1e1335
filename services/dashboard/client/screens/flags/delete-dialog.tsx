/** Asks before a flag or a target group is deleted, which has no way back: its name is to be typed. */
import { nameToType } from '../../design/typed-name.ts';
import { tell } from '../../states/told.tsx';
import { TypedQuestion } from '../../states/typed-question.tsx';
import { texts } from '../../texts/texts.ts';
import { flagTexts } from './texts.ts';

interface DeleteDialogProps {
  readonly title: string;
  readonly lead: string;
  /** What is to be typed, and what stands for it where it has nothing that can be seen. */
  readonly of: { readonly id: string; readonly name: string };
  readonly path: string;
  /** Its version: what somebody else has changed meanwhile is not deleted unseen. */
  readonly etag: string | null;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
  /** Loads the version that there is now. */
  readonly onReload: () => void;
}

export function DeleteDialog(props: DeleteDialogProps) {
  const { title, lead, of, path, etag, onClose, onDeleted, onReload } = props;
  const t = flagTexts.value;
  return (
    <TypedQuestion
      title={title}
      of={of}
      words={{ typed: t.typeIt, wrong: t.typeItWrong, submit: texts.value.words.remove }}
      request={{ method: 'DELETE', path, ifMatch: etag ?? undefined }}
      onDone={(isLeft) => {
        if (isLeft) return;
        tell(t.deleted(nameToType(of)));
        onDeleted();
      }}
      onClose={onClose}
      onReload={onReload}
    >
      <p>{lead}</p>
    </TypedQuestion>
  );
}
