// Shows the Markdown of a contract, without anything in it that could run or load.
/* global document, DOMParser, Node, URL */
import { element } from './element.js';
import { marked } from './marked.js';

const ELEMENTS = new Set(
  `A B BLOCKQUOTE BR CODE DD DEL DIV DL DT EM H1 H2 H3 H4 H5 H6 HR I KBD LI OL P PRE S SPAN STRONG SUB SUP TABLE TBODY
   TD TFOOT TH THEAD TR U UL`.split(/\s+/),
);
/** Elements whose text is not for readers. */
const SILENT = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'TITLE', 'HEAD', 'IFRAME', 'OBJECT', 'SVG', 'svg']);
const PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** What the policy of the page blocks and reports, even while it is only read. */
const BLOCKED_ATTRIBUTE = /(?<=[\s/"'])(?:style|on\w+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;
const BLOCKED_ELEMENT = /^(<\/?)(style|base)\b/i;
/** The invisible element that replaces such an element. */
const UNSEEN = { style: 'template', base: 'wbr' };
marked.use({ renderer: { html: ({ text }) => text.replaceAll(/<\/?[a-z][^>]*>/gi, harmlessTag) } });

function harmlessTag(tag) {
  return tag
    .replaceAll(BLOCKED_ATTRIBUTE, '')
    .replace(BLOCKED_ELEMENT, (_, start, name) => start + UNSEEN[name.toLowerCase()]);
}

/**
 * @param under the level of the heading that the text stands under.
 * @returns elements for a text in Markdown; raw HTML in it keeps its text and plain structure.
 */
export function markdown(text = '', under = 2) {
  const parsed = new DOMParser().parseFromString(marked.parse(text), 'text/html');
  return element('div', { class: 'prose' }, copyAll(parsed.body, headingLevels(parsed, under)));
}

/** The first sentence of a text in Markdown, as plain text. */
export function firstSentence(text = '') {
  const [sentence = ''] = markdown(text)
    .textContent.trim()
    .split(/(?<=[.!?])\s|\n\n/);
  return sentence;
}

/**
 * The introduction of a text, and its parts that start with a heading of the first or second level.
 * Each has a name of its own, also where titles are the same.
 */
export function sectionsOf(text = '') {
  const sections = [{ title: undefined, name: 'Introduction', text: '' }];
  for (const token of marked.lexer(text)) {
    if (token.type === 'heading' && token.depth <= 2) {
      const title = markdown(token.text).textContent.trim();
      const same = sections.filter((section) => (section.title ?? section.name) === title).length;
      sections.push({ title, name: same === 0 ? title : `${title} ${same + 1}`, text: '' });
    } else sections.at(-1).text += token.raw;
  }
  return sections;
}

/** The level of each heading in turn: none is left out, whichever levels the text has. */
function headingLevels(parsed, under) {
  const headings = [...parsed.querySelectorAll('h1, h2, h3, h4, h5, h6')];
  const written = ['H1', 'H2', 'H3', 'H4', 'H5', 'H6'].filter((name) => parsed.querySelector(name) !== null);
  let level = under;
  return new Map(
    headings.map((heading) => {
      level = Math.min(under + 1 + written.indexOf(heading.nodeName), level + 1, 6);
      return [heading, level];
    }),
  );
}

function copyAll(parent, levels) {
  return [...parent.childNodes].flatMap((node) => copy(node, levels));
}

/** Copies a node into the page: only known elements, and only the attributes that are harmless. */
function copy(node, levels) {
  if (node.nodeType === Node.TEXT_NODE) return [document.createTextNode(node.data)];
  if (node.nodeType !== Node.ELEMENT_NODE || SILENT.has(node.nodeName)) return [];
  if (node.nodeName === 'IMG') return [document.createTextNode(node.getAttribute('alt') ?? '')];
  const children = copyAll(node, levels);
  if (!ELEMENTS.has(node.nodeName)) return children;
  const name = node.nodeName.toLowerCase();
  if (name === 'a') return [element('a', { href: safeUrl(node.getAttribute('href')) }, children)];
  // A table may be wider than the screen: its frame scrolls, with the keyboard too.
  if (name === 'table') return [element('div', { class: 'scroll', tabindex: '0' }, element('table', {}, children))];
  return [element(levels.has(node) ? `h${levels.get(node)}` : name, {}, children)];
}

function safeUrl(text) {
  if (text === null || !URL.canParse(text, document.baseURI)) return undefined;
  return PROTOCOLS.has(new URL(text, document.baseURI).protocol) ? text : undefined;
}
