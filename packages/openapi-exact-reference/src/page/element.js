// Builds the elements of the page.
/* global document */

/**
 * Makes an element. Attributes that start with `on` are listeners; false and undefined leave an
 * attribute or a child out.
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? '' : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== false));
  return made;
}

/**
 * A part of the page that is closed at first. `content` is called when it is first opened, by
 * `unfold` at once.
 */
export function folded(summary, content, attributes = {}) {
  const details = element('details', attributes, element('summary', {}, summary));
  const fill = () => {
    if (details.childElementCount === 1) details.append(...element('div', {}, content()).childNodes);
  };
  details.addEventListener('toggle', () => details.open && fill());
  details.unfold = () => {
    fill();
    details.open = true;
  };
  return details;
}

/** A text with a link, if its URL is one that a page may lead to. */
export function linked(text, url) {
  return url === undefined || !/^(https?|mailto):/i.test(url) ? text : element('a', { href: url }, text);
}

/** Where a contract says that there is more to read; undefined where it says nothing. */
export function externalDocsView(externalDocs) {
  if (externalDocs === undefined) return undefined;
  const { url, description } = externalDocs;
  return element('p', { class: 'type' }, linked(description ?? url, url));
}
