/** The link of a share, and the code that embeds its page elsewhere, light or dark. */
import { useState } from 'preact/hooks';
import { ownOrigin } from '../../address.ts';
import type { ShareView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Copy } from '../../design/copy.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { Notice } from '../../design/notice.tsx';
import { texts } from '../../texts/texts.ts';
import { embedCode, linkOf, THEMES, type Theme } from './embed-code.ts';
import { sharingTexts } from './texts.ts';

export function LinkDialog({ share, onClose }: { share: ShareView; onClose: () => void }) {
  const t = sharingTexts.value;
  const { token, name, origins } = share;
  return (
    <Dialog title={t.link} onClose={onClose}>
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>
      </p>
      {token === null ? (
        <Notice kind="warn">
          <p>{t.tokenGone}</p>
          <p>{t.tokenGoneHint}</p>
        </Notice>
      ) : (
        <Links token={token} name={name} origins={origins} />
      )}
      <Button onClick={onClose}>{texts.value.words.close}</Button>
    </Dialog>
  );
}

interface LinksProps {
  readonly token: string;
  readonly name: string;
  readonly origins: readonly string[];
}

function Links({ token, name, origins }: LinksProps) {
  const t = sharingTexts.value;
  const [theme, setTheme] = useState<Theme>('auto');
  return (
    <>
      <h3>{t.theLink}</h3>
      <Copy text={linkOf(ownOrigin(), token)} label={t.theLink} />
      <p class="hint">{t.linkHint}</p>
      <h3>{t.code}</h3>
      {origins.length === 0 ? (
        <p>{t.codeNowhere}</p>
      ) : (
        <>
          <Field
            label={t.theme}
            value={theme}
            onInput={(value) => setTheme(value as Theme)}
            options={THEMES.map((value) => ({ value, text: t.themes[value] }))}
          />
          <Copy text={embedCode(linkOf(ownOrigin(), token, theme), name)} label={t.code} />
          <p class="hint">
            {t.codeHint} <bdi>{origins.join(', ')}</bdi>
          </p>
        </>
      )}
    </>
  );
}
