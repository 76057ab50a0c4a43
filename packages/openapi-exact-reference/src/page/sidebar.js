// The list of what the page shows, with a search.
/* global document, URL */
import { contentsOf, countOf, pathsTo, search } from './contents.js';
import { element, folded } from './element.js';

const SHORT = { DELETE: 'DEL', OPTIONS: 'OPT' };
/** A list that is longer has its groups folded, and nothing in them until they are opened. */
const MOST_UNFOLDED = 60;
/** So many results of a search are shown: more than anybody reads. */
const MOST_RESULTS = 100;

/** @returns the sidebar; its `mark` shows which of its links is open. */
export function sidebar(contract) {
  const groups = contentsOf(contract);
  const paths = new Map(pathsTo(groups));
  const isFolded = countOf(groups) > MOST_UNFOLDED;
  const found = element('p', { class: 'found', role: 'status' });
  const tree = element(
    'div',
    {},
    groups.map((group) => (isFolded ? foldedGroup(group) : openGroup(group))),
  );
  // The first one concerns all operations, and is short.
  if (isFolded) groups[0].view.unfold();
  const results = element('div');
  let current;
  // A link to what is shown already changes no address.
  const onclick = ({ target }) => target.closest('a') && setOpen(header, false);
  const nav = element('nav', { id: 'contents', 'aria-label': 'Contents', onclick }, found, tree, results);
  const input = element('input', {
    ...{ type: 'search', placeholder: 'Search  /', 'aria-label': 'Search', autocomplete: 'off', spellcheck: 'false' },
    oninput: () => {
      const isSearching = input.value.trim() !== '';
      const all = isSearching ? search(groups, input.value) : [];
      tree.hidden = isSearching;
      results.replaceChildren(...resultGroups(all.slice(0, MOST_RESULTS)).map((group) => openGroup(group)));
      found.textContent = isSearching ? countText(all.length) : '';
      setOpen(header, isSearching);
      markLinks(nav, current);
    },
    onkeydown: (event) => {
      if (event.key === 'Enter' && input.value.trim() !== '') results.querySelector('li > a')?.click();
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
    { class: 'sidebar', onkeydown: (event) => moveFocus(event, header) },
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
    current = hash;
    for (const group of paths.get(hash) ?? []) group.view?.unfold?.();
    markLinks(nav, hash);
    nav.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  };
  return header;
}

/** The results of a search under the titles of their groups, that of the best result first. */
function resultGroups(entries) {
  const groups = new Map();
  for (const each of entries) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  return [...groups].map(([title, found]) => ({ title, entries: found, groups: [] }));
}

/** A group whose entries are shown. */
function openGroup({ title, href, entries, groups }) {
  return element(
    'section',
    {},
    element('p', { class: 'group' }, href === undefined ? title : element('a', { href }, title)),
    entriesView(title, entries),
    groups.map(openGroup),
  );
}

/** A group that is made when it is opened; `group.view` is its element. */
function foldedGroup(group) {
  const { title, href, entries, groups } = group;
  const content = () => [
    entriesView(title, href === undefined ? entries : [{ label: `About ${title}`, href }, ...entries]),
    groups.map(foldedGroup),
  ];
  group.view = folded([title, ' ', element('span', {}, countOf([group]))], content, { class: 'group' });
  return group.view;
}

function entriesView(title, entries) {
  if (entries.length === 0) return undefined;
  const items = entries.map(({ label, href, method, isDeprecated }) => {
    const badge =
      method !== undefined && element('span', { class: `method ${method.toLowerCase()}` }, SHORT[method] ?? method);
    return element(
      'li',
      {},
      element('a', { href }, badge, badge && ' ', element(isDeprecated ? 's' : 'span', {}, label)),
    );
  });
  return element('ul', { 'aria-label': title }, items);
}

function markLinks(nav, hash) {
  for (const link of nav.querySelectorAll('[aria-current]')) link.removeAttribute('aria-current');
  for (const link of nav.querySelectorAll('a')) {
    if (link.getAttribute('href') === hash) link.setAttribute('aria-current', 'page');
  }
}

/** Moves the focus from the search into the list, and along it. */
function moveFocus(event, header) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !event.target.matches('input, nav a, summary')) return;
  const stops = [...header.querySelectorAll('input, nav a, nav summary')].filter((stop) => stop.checkVisibility());
  event.preventDefault();
  stops[stops.indexOf(event.target) + step]?.focus();
}

function countText(count) {
  if (count > MOST_RESULTS) return `${count} results, the first ${MOST_RESULTS} are shown`;
  return count === 1 ? '1 result' : `${count} results`;
}

/** On a narrow screen the list is shown on demand. */
function setOpen(header, isOpen) {
  header.classList.toggle('open', isOpen);
  header.querySelector('.menu').setAttribute('aria-expanded', String(isOpen));
}
