/** A line of links of which one is the place that is open. Where the page is narrow it moves sideways, and the current one is in view. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface Place {
  readonly path: string;
  readonly text: ComponentChildren;
  readonly isHere: boolean;
}

export function Places({ places }: { places: readonly Place[] }) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const show = () => {
      intoView(element);
      tellMore(element);
    };
    show();
    const observer = new ResizeObserver(show);
    observer.observe(element);
    return () => observer.disconnect();
  }, [places.map(({ text, isHere }) => `${text}${isHere}`).join()]);
  return (
    <ul class="places" ref={list} onScroll={({ currentTarget }) => tellMore(currentTarget)}>
      {places.map(({ path, text, isHere }) => (
        <li key={path}>
          <a href={path} aria-current={isHere ? 'page' : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Moves the list alone: `scrollIntoView` would move the document too. */
function intoView(list: HTMLUListElement): void {
  const current = list.querySelector('[aria-current]');
  if (!current) return;
  const [place, room] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollLeft += place.left + place.width / 2 - (room.left + room.width / 2);
}

/** Marks the edges beyond which the list goes on; a part of a pixel is no more of it. */
function tellMore(list: HTMLUListElement): void {
  list.classList.toggle('more-before', list.scrollLeft > 1);
  list.classList.toggle('more-after', list.scrollWidth - list.clientWidth - list.scrollLeft > 1);
}
