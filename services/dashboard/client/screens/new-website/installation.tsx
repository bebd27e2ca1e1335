/** What to do so that events come: the element for the pages, and a line for servers. */
import { ownOrigin } from '../../address.ts';
import { Copy } from '../../design/copy.tsx';
import { texts } from '../../texts/texts.ts';
import { pageviewCurl, snippetOf } from './installation-lines.ts';

export function Installation({ websiteId, domain }: { websiteId: string; domain: string }) {
  const t = texts.value.website.installation;
  return (
    <section class="card stack">
      <h2>{t.title}</h2>
      <p>{t.snippet}</p>
      <Copy text={snippetOf(ownOrigin(), websiteId)} label={t.snippetName} />
      <p class="hint">
        {t.origins} <bdi>{domain}</bdi>
      </p>
      <details>
        <summary>{t.server}</summary>
        <div class="stack">
          <p class="hint">{texts.value.words.curlHint}</p>
          <Copy text={pageviewCurl(ownOrigin(), websiteId)} label={t.curlName} />
        </div>
      </details>
    </section>
  );
}
