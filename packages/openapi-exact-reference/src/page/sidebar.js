// The list of what the page shows, with a search.
/* global document, URL */
import { linkTo } from './contract.js';
import { element } from './element.js';

const SHORT = { DELETE: 'DEL', OPTIONS: 'OPT' };

/** @returns the sidebar; its `mark` shows which of its links is open. */
export function sidebar(contract) {
  const groups = groupsOf(contract).map(([title, entries, href]) => groupView(title, entries, href));
  const found = element('p', { class: 'found', role: 'status' });
  // A link to what is shown already changes no address.
  const onclick = ({ target }) => target.closest('a') && setOpen(header, false);
  const nav = element('nav', { id: 'contents', 'aria-label': 'Contents', onclick }, found, groups);
  const input = element('input', {
    ...{ type: 'search', placeholder: 'Search  /', 'aria-label': 'Search', autocomplete: 'off', spellcheck: 'false' },
    oninput: () => filter(groups, found, input.value, header),
    onkeydown: (event) => {
      if (event.key === 'Enter' && input.value.trim() !== '') nav.querySelector('li:not([hidden]) > a')?.click();
    },
  });
  const menu = element(
    'button',
    {
      type: 'button',
      class: 'menu',
      'aria-controls': 'contents',
      'aria-expanded': 'false',
      onclick: () => setOpen(header, !header.classList.contains('open')),
    },
    'Contents',
  );
  const header = element(
    'header',
    { class: 'sidebar' },
    element('p', { class: 'title' }, contract.info.title),
    element(
      'p',
      { class: 'type' },
      `${contract.info.version} · `,
      element('a', { href: new URL('openapi.yaml', contract.url).href }, 'openapi.yaml'),
    ),
    element('div', { class: 'find' }, input, menu),
    nav,
  );
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input, textarea, select')) return;
    event.preventDefault();
    input.focus();
  });
  header.mark = (hash) => {
    setOpen(header, false);
    for (const link of nav.querySelectorAll('a')) {
      if (link.hash === hash) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    nav.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  };
  return header;
}

/**
 * The groups of links: a title, entries with a label, an address and words for the search, and the
 * address of a described tag.
 */
function groupsOf(contract) {
  const start = contract.sections.map((section) => ({
    label: section.title ?? section.name,
    href: linkTo.section(section),
    words: '',
  }));
  if (contract.securitySchemes.length > 0)
    start.push({ label: 'Authentication', href: linkTo.authentication, words: '' });
  const described = new Set(contract.describedTags.map(({ name }) => name));
  const operations = contract.groups.map(([group, members]) => [
    group,
    members.map((operation) => ({
      ...{ label: operation.title, href: linkTo.operation(operation), method: operation.method },
      isDeprecated: operation.deprecated,
      words: `${group} ${operation.method} ${operation.path} ${operation.id}`,
    })),
    described.has(group) ? linkTo.tag(group) : undefined,
  ]);
  const schemas = contract.schemas.map(([name]) => ({ label: name, href: linkTo.schema(name), words: 'schema' }));
  return [['Start', start], ...operations, ['Schemas', schemas]].filter(([, entries]) => entries.length > 0);
}

function groupView(title, entries, address) {
  const items = entries.map(({ label, href, method, words, isDeprecated }) => {
    const badge =
      method !== undefined && element('span', { class: `method ${method.toLowerCase()}` }, SHORT[method] ?? method);
    const item = element(
      'li',
      {},
      element('a', { href }, badge, badge && ' ', element(isDeprecated ? 's' : 'span', {}, label)),
    );
    item.words = `${label} ${words}`.toLowerCase();
    return item;
  });
  return element(
    'section',
    {},
    element('p', { class: 'group' }, address === undefined ? title : element('a', { href: address }, title)),
    element('ul', { 'aria-label': title }, items),
  );
}

/** Hides what has not all words of the search. */
function filter(groups, found, text, header) {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  let count = 0;
  for (const group of groups) {
    for (const item of group.querySelectorAll('li')) {
      item.hidden = !words.every((word) => item.words.includes(word));
      if (!item.hidden) count++;
    }
    group.hidden = group.querySelector('li:not([hidden])') === null;
  }
  found.textContent = words.length === 0 ? '' : count === 1 ? '1 result' : `${count} results`;
  setOpen(header, words.length > 0);
}

/** On a narrow screen the list is shown on demand. */
function setOpen(header, isOpen) {
  header.classList.toggle('open', isOpen);
  header.querySelector('.menu').setAttribute('aria-expanded', String(isOpen));
}
