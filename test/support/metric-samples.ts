/** Reads Prometheus' text format: each sample by its name with labels, as it is written. */

/** The samples of a scrape. @throws Error for a line that is none */
export function samplesOf(text: string): Record<string, number> {
  const samples: Record<string, number> = {};
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value] = /^([a-z_][a-z0-9_]*(?:\{[^}]*\})?) (\S+)$/i.exec(line) ?? [];
    if (name === undefined) throw new Error(`no sample: ${line}`);
    samples[name] = Number(value);
  }
  return samples;
}
