/** Asks before a website is deleted: what goes with it, and its name to be typed. */
import { HOME, useAddress } from '../../address.ts';
import type { WebsiteView } from '../../api/wire.ts';
import { tell } from '../../states/told.tsx';
import { TypedQuestion } from '../../states/typed-question.tsx';
import { texts } from '../../texts/texts.ts';

interface DeleteDialogProps {
  readonly website: WebsiteView;
  /** Its version: what somebody else has changed meanwhile is not deleted unseen. */
  readonly etag: string | undefined;
  readonly onClose: () => void;
  /** Loads the version that there is now. */
  readonly onReload: () => void;
}

export function DeleteDialog({ website, etag, onClose, onReload }: DeleteDialogProps) {
  const t = texts.value.website.remove;
  const { go } = useAddress();
  return (
    <TypedQuestion
      title={t.title}
      of={website}
      words={t}
      request={{ method: 'DELETE', path: `/v1/websites/${encodeURIComponent(website.id)}`, ifMatch: etag }}
      onDone={(isLeft) => {
        tell(texts.value.websites.deleted);
        if (!isLeft) go(HOME, {}, true);
      }}
      onClose={onClose}
      onReload={onReload}
    >
      <p>{t.lead}</p>
      <ul>
        {t.effects.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </TypedQuestion>
  );
}
