/**
 * The one document of the pages: it names the first script and the styles, and holds the icons. What it says itself is for browsers
 * without scripts, and for those whose first script is gone for good: the script in its place marks the document then (plugins/pages).
 */

export interface DocumentParts {
  /** Address of the first script. */
  readonly script: string;
  /** Address of the style sheet. */
  readonly style: string;
  /** Address of the licences of what the pages are made of. */
  readonly licences: string;
  readonly sprite: string;
}

/** A wave in the accent colour, as a browser shows it on a tab. */
export const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231f5fbf'/%3E%3Cpath d='M2 10q3-5 6 0t6 0' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

/** The name of the product stands where the header will: it is painted while the script is still on its way. */
export function renderDocument({ script, style, licences, sprite }: DocumentParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Tidegate</title>
<link rel="icon" href="${ICON}">
<link rel="license" href="${licences}">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<div id="app"><div class="frame"><div class="frame-head"><span class="brand">Tidegate</span></div></div></div>
<main class="entrance unloaded"><h1 class="brand">Tidegate</h1><div class="card stack">
<p>A new version of this page could not be loaded. <a href="/dashboard">Load it again</a> in a moment.</p>
<p lang="de">Eine neue Version dieser Seite ließ sich nicht laden. <a href="/dashboard">Laden Sie sie</a> gleich noch einmal.</p>
</div></main>
<noscript><main class="entrance"><h1 class="brand">Tidegate</h1><div class="card stack">
<p>These pages need JavaScript. Everything they do is in the API too: <a href="/docs">/docs</a>.</p>
<p lang="de">Diese Seiten brauchen JavaScript. Alles, was sie tun, kann auch die API: <a href="/docs">/docs</a>.</p>
</div></main></noscript>
${sprite}
</body>
</html>
`;
}
