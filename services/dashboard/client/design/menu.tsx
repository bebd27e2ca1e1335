/** A button that opens a list of acts; a click elsewhere, a choice and Escape close it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

export function Menu({ label, children }: { label: ComponentChildren; children: ComponentChildren }) {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    /** `isLeft`: the focus is elsewhere already; or else it goes back to what opened the list. */
    const close = (isLeft: boolean) => {
      const details = element.current;
      if (!details?.open) return;
      details.open = false;
      if (!isLeft) details.querySelector('summary')?.focus();
    };
    const clicked = ({ target }: MouseEvent) => {
      const isInside = target instanceof Node && element.current?.contains(target);
      const isAct = target instanceof Element && target.closest('.items a, .items button') !== null;
      if (!isInside || isAct) close(!isInside);
    };
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close(false);
    };
    document.addEventListener('click', clicked);
    document.addEventListener('keydown', pressed);
    return () => {
      document.removeEventListener('click', clicked);
      document.removeEventListener('keydown', pressed);
    };
  }, []);
  return (
    <details class="menu" ref={element}>
      <summary class="button plain">
        {label}
        <Icon name="chevron-down" />
      </summary>
      <div class="items">{children}</div>
    </details>
  );
}
