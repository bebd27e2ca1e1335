/** Asks before a visitor or a person is erased: what goes and what stays, and the identifier to be typed. */
import { TypedQuestion } from '../../states/typed-question.tsx';
import { visitorsTexts } from './texts.ts';

interface EraseDialogProps {
  readonly kind: 'visitor' | 'person';
  readonly id: string;
  readonly websiteId: string;
  readonly onClose: () => void;
  readonly onErased: () => void;
}

/** The queries take every identifier, also one that no path can carry. */
const REQUESTS = {
  visitor: { path: '/v1/visitors', name: 'anonymous_id' },
  person: { path: '/v1/profiles', name: 'profile_id' },
} as const;

export function EraseDialog({ kind, id, websiteId, onClose, onErased }: EraseDialogProps) {
  const t = visitorsTexts.value.erase;
  const { path, name } = REQUESTS[kind];
  return (
    <TypedQuestion
      title={t[kind]}
      of={{ id, name: id }}
      words={t}
      request={{ method: 'DELETE', path, query: { [name]: id, website_id: websiteId } }}
      onDone={(isLeft) => {
        if (!isLeft) onErased();
      }}
      onClose={onClose}
    >
      <p>{t.effects[kind]}</p>
    </TypedQuestion>
  );
}
