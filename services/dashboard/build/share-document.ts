/**
 * The document of a share's page, as built: it says of itself that there is no share, and the service writes into it what there is
 * (services/resources/shares/share-page.ts).
 */
import { type DocumentParts, ICON } from './document.ts';

export function renderShareDocument({ script, style, licences, sprite }: DocumentParts): string {
  return `<!doctype html>
<html lang="en" data-share="&quot;missing&quot;">
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
<div id="app"></div>
<main class="entrance unloaded"><h1>Tidegate</h1><div class="card stack">
<p>A new version of this page could not be loaded. Load it again in a moment.</p>
<p lang="de">Eine neue Version dieser Seite ließ sich nicht laden. Laden Sie sie gleich noch einmal.</p>
</div></main>
<noscript><main class="entrance"><h1>Tidegate</h1><div class="card stack">
<p>This page needs JavaScript.</p>
<p lang="de">Diese Seite braucht JavaScript.</p>
</div></main></noscript>
${sprite}
</body>
</html>
`;
}
