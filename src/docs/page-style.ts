/**
 * Corrections of Swagger UI's style: contrast of at least 4.5 (WCAG 2.2, 1.4.3), visible focus
 * (2.4.7), no horizontal scrolling on a phone (1.4.10).
 */
export const PAGE_STYLE = `html { box-sizing: border-box; }
*, *::before, *::after { box-sizing: inherit; }
body { margin: 0; }
noscript { display: block; padding: 2em; font-family: sans-serif; }
#docs :focus-visible { outline: 3px solid #1a56b0; outline-offset: 2px; }

.swagger-ui .info .title small { background: #4a5160; }
.swagger-ui .info .title small.version-stamp { background: #3f6212; }
.swagger-ui a.link, .swagger-ui .info a { color: #1a56b0; }
.swagger-ui .btn.authorize { color: #0f6b3f; border-color: #0f6b3f; }
.swagger-ui .btn.authorize svg { fill: #0f6b3f; }
.swagger-ui .btn.cancel { color: #b01020; border-color: #b01020; }
.swagger-ui .btn.execute { background-color: #1a56b0; border-color: #1a56b0; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b91c1c; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1a56b0; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0f6b3f; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #92500a; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0f6b66; }
.swagger-ui .opblock.opblock-head .opblock-summary-method { background: #6d1ccf; }
.swagger-ui .renderedMarkdown code, .swagger-ui .markdown code { color: #6d0bc9; }
.swagger-ui .parameter__in, .swagger-ui .parameter__type, .swagger-ui table.headers .header-example, .swagger-ui .prop-format { color: #4a4a4a; }
.swagger-ui .download-contents { background: #4a5160; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #4a4a4a; }
.swagger-ui .json-schema-2020-12__constraint { background-color: #805008; }

.swagger-ui pre, .swagger-ui .microlight { overflow-wrap: anywhere; white-space: pre-wrap; }
@media (max-width: 600px) {
  .swagger-ui .wrapper, .swagger-ui .scheme-container { padding-left: 10px; padding-right: 10px; }
  .swagger-ui .scheme-container .schemes { padding: 0; }
  .swagger-ui .opblock-body table:not(.headers):not(.model) > thead { display: none; }
  .swagger-ui .opblock-body table:not(.model), .swagger-ui .opblock-body table:not(.model) > tbody,
  .swagger-ui .opblock-body table:not(.model) > thead, .swagger-ui .opblock-body table:not(.model) tr,
  .swagger-ui .opblock-body table:not(.model) tr > td { display: block; width: auto; max-width: 100%; min-width: 0; padding-left: 0; }
  .swagger-ui .opblock-body .headers > thead, .swagger-ui .response-col_links:has(> i) { display: none !important; }
  .swagger-ui .opblock-body select, .swagger-ui .servers select, .swagger-ui .opblock-body input[type="text"] {
    max-width: 100%; min-width: 0; width: 100%;
  }
  .swagger-ui .response-controls { flex-wrap: wrap; }
  .swagger-ui .dialog-ux .modal-ux { width: 100%; min-width: 0; max-width: 100%; }
  .swagger-ui .auth-container input { width: 100%; min-width: 0; }
}
`;
