// Shows the contract of the service that the page came from. Runs in the browser, after
// lossless-json.js.
/* global addEventListener, document, fetch, location, scrollTo, URL */
import { authenticationView, schemaView, sectionView, tagView } from './about-view.js';
import { Contract, linkTo } from './contract.js';
import { element } from './element.js';
import { parseExact } from './exact-json.js';
import { operationView } from './operation-view.js';
import { Places } from './places.js';
import { sidebar } from './sidebar.js';

const main = element('main', { id: 'main', tabindex: '-1' });

// A large contract takes seconds.
main.append(element('p', { class: 'loading' }, 'Loading the contract…'));
document.body.append(main);
try {
  show(await load());
} catch (error) {
  main.replaceChildren(element('p', { class: 'problem' }, `The contract cannot be shown: ${error.message}`));
}

async function load() {
  const url = new URL('openapi.json', import.meta.url);
  const [text, places] = await Promise.all([url, new URL('places.json', import.meta.url)].map(loadText));
  // The server has written into the page where it is.
  const { service, isMounted, client, formats } = document.documentElement.dataset;
  return new Contract(parseExact(text), {
    url,
    service: new URL(service, import.meta.url),
    isMounted: isMounted === 'true',
    client,
    formats: JSON.parse(formats),
    places: new Places(JSON.parse(places)),
  });
}

async function loadText(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname} is answered with ${response.status}.`);
  return response.text();
}

function show(contract) {
  const contents = sidebar(contract);
  document.body.append(
    element('a', { class: 'skip', href: '#main', onclick: skip }, 'Skip to the content'),
    contents,
    main,
  );
  const views = viewsOf(contract);
  /** What was shown already: what was entered is still there on return. */
  const made = new Map();
  let [hash = linkTo.authentication] = views.keys();
  const open = () => {
    // A link to what is not there leaves what is shown.
    if (views.has(location.hash)) hash = location.hash;
    if (!made.has(hash)) made.set(hash, views.get(hash)());
    const parts = made.get(hash);
    main.replaceChildren(...parts);
    for (const part of parts) part.refresh?.();
    contents.mark(hash);
    document.title = `${main.querySelector('h1').textContent} · ${contract.info.title}`;
  };
  addEventListener('hashchange', () => {
    open();
    scrollTo(0, 0);
    // A screen reader says what is shown now.
    main.querySelector('h1').focus({ preventScroll: true });
  });
  // Paper has nothing to unfold.
  addEventListener('beforeprint', () => {
    const folded = '.responses > details, article > .content > details, article > details';
    for (const details of main.querySelectorAll(folded)) details.unfold();
  });
  open();
}

/** The views by address: functions that make their elements. */
function viewsOf(contract) {
  return new Map([
    ...contract.operations.map((operation) => [linkTo.operation(operation), () => operationView(contract, operation)]),
    ...contract.sections.map((section) => [linkTo.section(section), () => [sectionView(contract, section)]]),
    ...contract.describedTags.map((tag) => [linkTo.tag(tag.name), () => [tagView(tag)]]),
    ...contract.schemas.map((schema) => [linkTo.schema(schema[0]), () => [schemaView(contract, schema)]]),
    [linkTo.authentication, () => [authenticationView(contract)]],
  ]);
}

function skip(event) {
  event.preventDefault();
  main.focus();
}
