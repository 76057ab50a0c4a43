import { getOrInsert } from '../json/get-or-insert.ts';
import { encodeToken, fieldsOf, isObject } from '../schema/openapi-document.ts';

type Sections = Record<string, Record<string, unknown>>;

/** The components of a document, to which those of other files are added. */
export class ComponentNames {
  /** The components by section, such as `schemas`. */
  readonly all: Sections = {};
  readonly #pointers = new Map<unknown, string>();

  /** @param components of the contract's own file; they are left unchanged. */
  constructor(components: unknown) {
    for (const [section, named] of Object.entries(fieldsOf(components))) {
      if (!isObject(named)) continue;
      this.all[section] = { ...named };
      for (const [name, value] of Object.entries(named)) this.#pointers.set(value, pointer(section, name));
    }
  }

  /**
   * The pointer to a component, which the value becomes if it is none.
   * @param reference leads to the value, and so tells its name: parts.yaml#/filter, note.yaml,
   * #leaf.
   */
  pointerTo(section: string, value: unknown, reference: string): string {
    return getOrInsert(this.#pointers, value, () => {
      const [, last = ''] = /([^/#]*?)(?:\.(?:yaml|yml|json))?[#/]*$/.exec(reference) ?? [];
      const wanted = last.replaceAll(/[^\w.-]/g, '_');
      const named = (this.all[section] ??= {});
      let name = wanted;
      for (let copy = 2; Object.hasOwn(named, name); copy++) name = `${wanted}_${copy}`;
      named[name] = value;
      return pointer(section, name);
    });
  }
}

function pointer(section: string, name: string): string {
  return `#/components/${section}/${encodeToken(name)}`;
}
