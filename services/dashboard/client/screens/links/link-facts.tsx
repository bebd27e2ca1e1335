/** How a link is shown wherever one stands: its short address, its state, where it leads, and all that is set. */
import type { ComponentChildren } from 'preact';
import { ownOrigin } from '../../address.ts';
import { knownWebsite } from '../../api/websites.ts';
import type { LinkView } from '../../api/wire.ts';
import { Instant } from '../../design/instant.tsx';
import { formatInstant, formatUntil } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { type LinkState, stateOf, webAddress } from './link-state.ts';
import { linkTexts } from './texts.ts';

export function shortAddress(slug: string): string {
  return `${ownOrigin()}/${slug}`;
}

const COLOUR: Readonly<Record<LinkState, string>> = {
  active: 'good',
  ending: 'warn',
  ended: 'bad',
  moved: 'bad',
};

export function StateBadge({ of: link }: { of: Pick<LinkView, 'expiresAt' | 'expiredRedirectUrl'> }) {
  const t = linkTexts.value;
  const state = stateOf(link, Date.now());
  return (
    <span class={`badge ${COLOUR[state]}`}>
      {state === 'ending' ? (
        <Instant at={`${link.expiresAt}`} text={t.endsIn(formatUntil(`${link.expiresAt}`))} />
      ) : (
        t.states[state]
      )}
    </span>
  );
}

interface OutwardProps {
  readonly url: string;
  /** Characters that are shown; absent: all. */
  readonly most?: number;
}

/** An address that people typed, to be followed where it is one of the web. */
export function Outward({ url, most = Number.POSITIVE_INFINITY }: OutwardProps) {
  const address = webAddress(url);
  const text = <bdi>{url.length > most ? `${url.slice(0, most)}…` : url}</bdi>;
  if (address === undefined) return text;
  return (
    <a class="outward" href={address} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}

const ADDRESSES = ['targetUrl', 'expiredRedirectUrl', 'iosUrl', 'androidUrl', 'ogImageUrl'] as const;
const WORDS = ['ogTitle', 'ogDescription'] as const;

/** What is set; what is not is left out. */
export function LinkFacts({ of: link }: { of: LinkView }) {
  const t = linkTexts.value;
  const { websiteId, expiresAt, tags } = link;
  return (
    <section class="card stack">
      <h2>{t.facts}</h2>
      <dl class="facts link-facts">
        {ADDRESSES.map((field) => {
          const url = link[field];
          return (
            url !== null && (
              <Fact key={field} name={t.fields[field]}>
                <Outward url={url} />
              </Fact>
            )
          );
        })}
        {WORDS.map(
          (field) =>
            link[field] !== null && (
              <Fact key={field} name={t.fields[field]}>
                <bdi>{link[field]}</bdi>
              </Fact>
            ),
        )}
        <Fact name={t.fields.expiresAt}>
          {expiresAt === null ? texts.value.words.never : <Instant at={expiresAt} />}
        </Fact>
        {websiteId !== null && (
          <Fact name={texts.value.words.website}>
            <bdi>{knownWebsite(websiteId)?.name ?? websiteId}</bdi>
          </Fact>
        )}
        {tags.length > 0 && (
          <Fact name={t.fields.tags}>
            <ul class="row tags">
              {tags.map((tag) => (
                <li key={tag} class="badge">
                  <bdi>{tag}</bdi>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name={texts.value.words.created}>{formatInstant(link.createdAt)}</Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
