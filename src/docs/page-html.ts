/** The page. Relative URLs make it work behind a proxy with a path prefix. */
export const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reference</title>
    <link rel="icon" href="docs/icon.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/page.css">
    <script src="docs/lossless-json.js" defer></script>
    <script src="docs/swagger-ui.js" defer></script>
    <script src="docs/page.js" type="module"></script>
  </head>
  <body>
    <div id="docs"><noscript>This page needs JavaScript. The contract itself is <a href="openapi.yaml">openapi.yaml</a>.</noscript></div>
  </body>
</html>
`;
