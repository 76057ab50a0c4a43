// The tags of a contract as a tree, with their operations.

/**
 * The tags that have operations, in the order of the contract. A tag is within another by `parent`
 * (OpenAPI 3.2) or by `x-tagGroups`, whose groups are tags without operations of their own.
 * @returns their roots: `name`, `title`, `description`, `operations` and `children`.
 */
export function tagTree(spec, operations) {
  const tags = new Map();
  for (const tag of spec.tags ?? []) {
    const { name, description, parent } = tag;
    Object.assign(tagNamed(tags, name), { title: tagTitle(tag), description, parent });
  }
  for (const operation of operations) tagNamed(tags, operation.group).operations.push(operation);
  const groups = (spec['x-tagGroups'] ?? []).map(({ name, tags: names }) => ({ ...newTag(name), names }));
  const roots = [];
  for (const tag of tags.values()) {
    const group = groups.find(({ names }) => names?.includes(tag.name));
    const parent = isWithinItself(tags, tag) ? undefined : tags.get(tag.parent);
    const siblings = parent?.children ?? group?.children ?? roots;
    siblings.push(tag);
  }
  return [...groups, ...roots].map(withoutEmpty).filter((tag) => tag !== undefined);
}

/** The operations of tags and of those within them, in their order. */
export function operationsOf(tags) {
  return tags.flatMap(({ operations, children }) => [...operations, ...operationsOf(children)]);
}

function newTag(name) {
  return { name, title: name, operations: [], children: [] };
}

function tagNamed(tags, name) {
  if (!tags.has(name)) tags.set(name, newTag(name));
  return tags.get(name);
}

/** Kinds of tags (OpenAPI 3.2) that say something of an operation, but not where to find it. */
const LABELS = ['badge', 'audience'];

/** Whether operations are listed under a tag. */
export function isNavigation({ kind }) {
  return !LABELS.includes(kind);
}

/** The title of a tag: `summary` of OpenAPI 3.2, what earlier versions have for it, or its name. */
export function tagTitle({ name, summary, 'x-displayName': displayName }) {
  return summary ?? displayName ?? name;
}

/** Whether parents lead from a tag in a circle: it is shown at the top then. */
function isWithinItself(tags, tag) {
  const seen = new Set();
  for (let at = tag; at !== undefined; at = tags.get(at.parent)) {
    if (seen.has(at)) return true;
    seen.add(at);
  }
  return false;
}

function withoutEmpty(tag) {
  const children = tag.children.map(withoutEmpty).filter((child) => child !== undefined);
  return tag.operations.length + children.length === 0 ? undefined : { ...tag, children };
}
