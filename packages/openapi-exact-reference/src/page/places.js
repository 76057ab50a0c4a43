// Where the values of requests have formats. openapi-exact finds them, and the service sends them.

/** The places of a contract; undefined stands for the place of a value without formats. */
export class Places {
  #operations;
  #places;

  /** @param table that the service sends as places.json. */
  constructor({ operations, places }) {
    this.#operations = operations;
    this.#places = places;
  }

  /** The place of a parameter of an operation. */
  parameterPlace(operation, { in: location, name }) {
    return this.#at(this.#operationPlaces(operation).parameters[`${location} ${name}`]);
  }

  /** The place of a body in a media type. */
  bodyPlace(operation, type) {
    return this.#at(this.#operationPlaces(operation).bodies[type]);
  }

  propertyPlace({ properties = {}, other } = {}, name) {
    return this.#at(Object.hasOwn(properties, name) ? properties[name] : other);
  }

  itemPlace({ prefix = [], items } = {}, index) {
    return this.#at(index < prefix.length ? prefix[index] : items);
  }

  #operationPlaces({ method, template }) {
    // The service serves a path up to its `#`.
    return this.#operations[`${method} ${template.replace(/#.*$/s, '')}`] ?? { parameters: {}, bodies: {} };
  }

  /** @param index null or undefined where no format is. */
  #at(index) {
    return this.#places[index ?? -1];
  }
}
