import {
  fieldsOf,
  list,
  own,
  partsOf,
  reachableSchemas,
  type Contract,
  type OpenApiDocument,
  type Diagnostic,
  type Schema,
} from 'openapi-exact/contract';

/**
 * Warnings of defaults of what is required: a request that leaves it out is refused, so that the
 * default never applies. Defaults of responses are descriptions alone.
 */
export function unusedDefaults({ document, operations }: Contract): readonly Diagnostic[] {
  const parameters = new Set(operations.flatMap((operation) => operation.parameters));
  const bodies = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
  const schemas = [...bodies, ...parameters].map(({ schema }) => schema).filter((schema) => schema !== undefined);
  const ofParameters = [...parameters].flatMap((node): Diagnostic[] =>
    node.required === true && node.in !== 'path' && hasDefault(document, node.schema)
      ? [{ node, key: 'required', reason: reasonOf(`the parameter ${node.name}`) }]
      : [],
  );
  const ofProperties = [...reachableSchemas(document, schemas)].flatMap((schema) => ofSchema(document, schema));
  return [...ofParameters, ...ofProperties];
}

function ofSchema(document: OpenApiDocument, node: Schema): readonly Diagnostic[] {
  const parts = partsOf(document, node);
  return list(node['required']).flatMap((name): Diagnostic[] => {
    if (typeof name !== 'string') return [];
    const properties = parts.map((part) => own(fieldsOf(part['properties']), name));
    return properties.some((property) => hasDefault(document, property))
      ? [{ node, key: 'required', reason: reasonOf(name) }]
      : [];
  });
}

/** Whether a default would be filled in: a request has no property that is read-only. */
function hasDefault(document: OpenApiDocument, schema: unknown): boolean {
  const parts = partsOf(document, schema);
  return parts.some((part) => part['default'] !== undefined) && !parts.some(({ readOnly }) => readOnly === true);
}

function reasonOf(what: string): string {
  return `${what} is required, so that its default is never used: a request without it is refused. Remove required, or the default.`;
}
