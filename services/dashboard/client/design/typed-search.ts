/** A search while it is typed: it is sent when typing rests, so that a word is one call, and never undoes what was typed since. */
import { useEffect, useRef, useState } from 'preact/hooks';

/** How long nothing must be typed before it is sent, in milliseconds. */
const REST_MS = 300;

/** `searched`: what is searched now; it changes elsewhere too, such as by the browser's way back. @returns the text, and its setter */
export function useTypedSearch(searched: string, send: (text: string) => void) {
  const [text, setText] = useState(searched);
  const sent = useRef(searched);
  const latest = useRef(send);
  latest.current = send;
  useEffect(() => {
    // What was sent from here comes back while more may have been typed.
    if (searched !== sent.current) setText(searched);
    sent.current = searched;
  }, [searched]);
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === searched) return;
    const timer = setTimeout(() => {
      sent.current = wanted;
      latest.current(wanted);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [text, searched]);
  return [text, setText] as const;
}
