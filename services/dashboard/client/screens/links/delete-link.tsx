/** The end of a link: what goes with it, and its name to be typed. */
import { useState } from 'preact/hooks';
import { HOME, useAddress } from '../../address.ts';
import type { Read } from '../../api/use-read.ts';
import type { LinkView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { tell } from '../../states/told.tsx';
import { TypedQuestion } from '../../states/typed-question.tsx';
import { texts } from '../../texts/texts.ts';
import type { LinkAnswer } from './known-link.ts';
import { pathOf } from './questions.ts';
import { linkTexts } from './texts.ts';

interface DeleteLinkProps {
  readonly link: LinkView;
  /** Its version: what somebody else has changed meanwhile is not deleted unseen. */
  readonly read: Read<LinkAnswer>;
}

export function DeleteLink({ link, read }: DeleteLinkProps) {
  const t = linkTexts.value.remove;
  const { type, wrong } = texts.value.website.remove;
  const { go } = useAddress();
  const [isOpen, setOpen] = useState(false);
  return (
    <section class="card stack website-settings">
      <h2>{texts.value.words.remove}</h2>
      <p>{t.lead}</p>
      <div class="row">
        <Button kind="danger" icon="trash-2" onClick={() => setOpen(true)}>
          {t.open}
        </Button>
      </div>
      {isOpen && (
        <TypedQuestion
          title={t.title}
          of={link}
          words={{ type, wrong, typed: t.typed, submit: t.submit }}
          request={{ method: 'DELETE', path: pathOf(link.id), ifMatch: read.etag ?? undefined }}
          onDone={(isLeft) => {
            tell(linkTexts.value.deleted);
            if (!isLeft) go(`${HOME}/links`, {}, true);
          }}
          onClose={() => setOpen(false)}
          onReload={read.again}
        >
          <p>{t.lead}</p>
        </TypedQuestion>
      )}
    </section>
  );
}
