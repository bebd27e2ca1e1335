/** A text that may be long: the beginning of it, and the whole on demand. */

/** As much stands in a line or two. */
const SHORT = 120;

/** `summary`: stands in place of the beginning, and the text is shown on demand however short it is. */
export function LongText({ text, summary }: { text: string; summary?: string }) {
  if (text.length <= SHORT && summary === undefined) return <bdi>{text}</bdi>;
  return (
    <details class="long-text">
      <summary>{summary ?? <bdi>{`${[...text].slice(0, SHORT).join('')}…`}</bdi>}</summary>
      <pre>
        <bdi>{text}</bdi>
      </pre>
    </details>
  );
}
