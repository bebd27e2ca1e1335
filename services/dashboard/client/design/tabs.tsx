/** Tabs over one place: one takes the focus, and the arrow keys move between them. */
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly key: string; readonly text: string }[];
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
  /** What the chosen tab shows. */
  readonly children: ComponentChildren;
}

export function Tabs({ label, tabs, chosen, onChoose, children }: TabsProps) {
  const id = useId();
  const bar = useRef<HTMLDivElement>(null);
  function move(event: KeyboardEvent): void {
    const at = tabs.findIndex(({ key }) => key === chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = (to + tabs.length) % tabs.length;
    const next = tabs[index];
    if (next) onChoose(next.key);
    bar.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  }
  return (
    <>
      <div class="tabs screen-only" role="tablist" aria-label={label} ref={bar} onKeyDown={move}>
        {tabs.map(({ key, text }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === chosen}
            aria-controls={`${id}-place`}
            tabIndex={key === chosen ? 0 : -1}
            onClick={() => onChoose(key)}
          >
            {text}
          </button>
        ))}
      </div>
      <div class="stack" role="tabpanel" id={`${id}-place`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </>
  );
}
