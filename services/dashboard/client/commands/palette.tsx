/** The palette: every screen and website by its name, chosen by typing. */
import { useId, useState } from 'preact/hooks';
import { HOME, useAddress } from '../address.ts';
import { session } from '../api/session.ts';
import { useWebsites } from '../api/websites.ts';
import { Dialog } from '../design/dialog.tsx';
import { places } from '../frame/places.ts';
import { texts } from '../texts/texts.ts';
import { sceneAddress, WEBSITE_SCREENS, websiteIn, websitePath } from '../website/website-links.ts';
import { type Command, found } from './found.ts';
import { commandTexts } from './texts.ts';

export function Palette({ onClose }: { onClose: () => void }) {
  const t = commandTexts.value;
  const id = useId();
  const { go } = useAddress();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const shown = found(useCommands(), typed);
  const chosen = Math.min(at, shown.length - 1);
  function press(event: KeyboardEvent): void {
    const to = { ArrowDown: chosen + 1, ArrowUp: chosen - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      setAt((to + shown.length) % Math.max(1, shown.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(shown[chosen]);
    }
  }
  function open(command: Command | undefined): void {
    if (!command) return;
    onClose();
    go(command.path);
  }
  return (
    <Dialog title={t.palette} onClose={onClose} isFleeting>
      <div class="field">
        <label for={id}>{t.field}</label>
        <input
          id={id}
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={shown[chosen] && `${id}-${chosen}`}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
      </div>
      <div class="commands" role="listbox" id={`${id}-list`} aria-label={t.palette}>
        {shown.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field holds the focus and moves between the options
          <div
            key={command.path}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => open(command)}
          >
            <bdi>{command.text}</bdi> {command.hint && <bdi class="soft small">{command.hint}</bdi>}
          </div>
        ))}
      </div>
      {shown.length === 0 && <p class="soft">{t.none}</p>}
    </Dialog>
  );
}

/** Screens of a website that its navigation does not have. */
const FURTHER = ['sql', 'sharing', 'ingest'] as const;

/** The screens of the website that is open first, then the places, then every website, then what else others have. */
function useCommands(): readonly Command[] {
  const { path, parameters } = useAddress();
  const read = useWebsites(true);
  const names = texts.value.website.screens;
  const open = websiteIn(path);
  const screens = open
    ? WEBSITE_SCREENS.map((screen) => ({
        path: sceneAddress(open, screen, parameters),
        text: screen === '' ? names.overview : names[screen],
      }))
    : [];
  const websites = read.data?.websites ?? [];
  const t = commandTexts.value;
  const further = (id: string, more: Pick<Command, 'hint'>) =>
    FURTHER.map((screen) => ({ path: websitePath(id, screen), text: t[screen], ...more }));
  return [
    ...screens,
    ...(open ? further(open, {}) : []),
    ...places(),
    { path: `${HOME}/organization/limits`, text: texts.value.limits.title },
    { path: `${HOME}/organization/requests`, text: t.requests },
    ...(session.value?.user.isOperator ? [{ path: `${HOME}/platform?view=explain`, text: t.explain }] : []),
    ...websites.map(({ id, name, domain }) => ({ path: websitePath(id), text: name, hint: domain })),
    ...websites.filter(({ id }) => id !== open).flatMap(({ id, name }) => further(id, { hint: name })),
  ];
}
