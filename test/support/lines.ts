/** Reads an answer of lines of JSON, one at a time or whole. */

/** The lines of an answer as they come; leaving the loop ends the exchange. */
export async function* linesOf<Line>(response: Response): AsyncGenerator<Line> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield JSON.parse(part) as Line;
  }
  if (rest !== '') throw new Error(`the last line has no end: ${rest}`);
}

/** All lines of an answer. */
export async function allLines<Line>(response: Response): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of linesOf<Line>(response)) lines.push(line);
  return lines;
}
