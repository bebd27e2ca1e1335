/** The way between the screens of a website; each link keeps range, filters and comparison. */
import { useAddress } from '../address.ts';
import { Places } from '../design/places.tsx';
import { texts } from '../texts/texts.ts';
import { sceneAddress, WEBSITE_SCREENS, websitePath } from './website-links.ts';

export function WebsiteNav({ websiteId }: { websiteId: string }) {
  const t = texts.value.website.screens;
  const { path, parameters } = useAddress();
  return (
    <nav class="website-nav screen-only" aria-label={t.label}>
      <Places
        places={WEBSITE_SCREENS.map((screen) => ({
          path: sceneAddress(websiteId, screen, parameters),
          text: screen === '' ? t.overview : t[screen],
          isHere: path === websitePath(websiteId, screen),
        }))}
      />
    </nav>
  );
}
