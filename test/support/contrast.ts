/** Contrast of colours as a browser computed them, by WCAG 2.2 (relative luminance and contrast ratio). */

type Channels = readonly [number, number, number];

const COLOUR = /rgba?\(([^)]+)\)|color\(srgb ([^)]+)\)/g;

/** The opaque colours in a computed value, such as that of `background-image`, in order; each channel from 0 to 1. */
export function coloursIn(computed: string): readonly Channels[] {
  return [...computed.matchAll(COLOUR)]
    .map(([, rgb, srgb]) => ({ parts: (rgb ?? srgb ?? '').split(/[\s,/]+/).map(Number), of: rgb ? 255 : 1 }))
    .filter(({ parts }) => parts[3] === undefined || parts[3] === 1)
    .map(({ parts, of }) => parts.slice(0, 3).map((part) => part / of) as unknown as Channels);
}

function luminance(colour: Channels): number {
  const [red, green, blue] = colour.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 (the same) to 21 (black on white). */
export function contrastOf(one: Channels, other: Channels): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}
