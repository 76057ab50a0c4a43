// What the page shows, as groups of entries, and the search in it.
import { linkTo } from './contract.js';

/**
 * The contents of a contract: groups of entries, and groups within them.
 * @returns for each its `title`, the `href` of what is said about it, `entries` and `groups`; for
 *   each entry its `label`, `href`, `method` of an operation, and `words` for the search.
 */
export function contentsOf(contract) {
  const start = contract.sections.map((section) => entry(section.title ?? section.name, linkTo.section(section)));
  if (contract.securitySchemes.length > 0) start.push(entry('Authentication', linkTo.authentication));
  const schemas = contract.schemas.map(([name]) => entry(name, linkTo.schema(name), 'schema'));
  return [group('Start', start), ...contract.tags.map((tag) => tagGroup(tag, '')), group('Schemas', schemas)].filter(
    ({ entries, groups }) => entries.length + groups.length > 0,
  );
}

/** The number of entries in groups, and in groups within them. */
export function countOf(groups) {
  return groups.reduce((sum, { entries, groups: inner }) => sum + entries.length + countOf(inner), 0);
}

/** The groups that lead to each address, the outermost first. */
export function pathsTo(groups, outer = []) {
  return groups.flatMap((of) => {
    const path = [...outer, of];
    const own = [...of.entries.map(({ href }) => [href, path]), [of.href, path]];
    return [...own, ...pathsTo(of.groups, path)];
  });
}

/**
 * The entries that have all words of a text, the best first: those that it names, then those whose
 * labels begin with it, then those whose labels have it.
 */
export function search(groups, text) {
  const wanted = text.toLowerCase().trim();
  const words = wanted.split(/\s+/);
  const found = allEntries(groups).filter(({ words: known }) => words.every((word) => known.includes(word)));
  return found
    .map((each) => [rankOf(each, wanted), each])
    .sort(([a], [b]) => a - b)
    .map(([, each]) => each);
}

function rankOf({ label, names }, wanted) {
  const lower = label.toLowerCase();
  if (lower === wanted || names.includes(wanted)) return 0;
  if (lower.startsWith(wanted)) return 1;
  return lower.includes(wanted) ? 2 : 3;
}

/** Each entry once, with the title of its group. */
function allEntries(groups) {
  return groups.flatMap(({ title, entries, groups: inner }) => [
    ...entries.map((each) => ({ ...each, group: title })),
    ...allEntries(inner),
  ]);
}

function group(title, entries, { href, groups = [] } = {}) {
  return { title, href, entries, groups };
}

function tagGroup({ name, title, description = '', operations, children }, outer) {
  const path = `${outer} ${title} ${name}`;
  const entries = operations.map((operation) => ({
    label: operation.title,
    href: linkTo.operation(operation),
    method: operation.method,
    isDeprecated: operation.deprecated,
    names: [operation.id, operation.path, `${operation.method} ${operation.path}`].map((text) => text.toLowerCase()),
    words: `${operation.title} ${path} ${operation.method} ${operation.path} ${operation.id}`.toLowerCase(),
  }));
  return group(title, entries, {
    href: description.trim() === '' ? undefined : linkTo.tag(name),
    groups: children.map((child) => tagGroup(child, path)),
  });
}

function entry(label, href, words = '') {
  return { label, href, names: [], words: `${label} ${words}`.toLowerCase() };
}
