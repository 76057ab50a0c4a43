import { stringify } from 'lossless-json';
import {
  FormFields,
  LOCATIONS,
  TextField,
  bodyKind,
  cookiePairs,
  fieldsOf,
  formPairs,
  isObject,
  isQuerystring,
  isReference,
  isVersion32,
  messageOf,
  querystringReader,
  resolve,
  ValueCount,
  type Bundle,
  type DocumentNode,
  type MediaTypeObject,
  type OpenApiDocument,
  type Parameter,
  type Diagnostic,
} from 'openapi-exact/contract';

/** What has examples: it reads a text as its value. @throws Error for a text that is none. */
interface Holder {
  readonly node: DocumentNode;
  readonly read: (text: string) => unknown;
}

/**
 * Warnings of the examples of OpenAPI 3.2 that show a value and its text: fields that exclude each
 * other, and texts that are not read as a value of the contract, or as the value beside them.
 */
export function serializedExamples(
  document: OpenApiDocument,
  { nodes, versionOf }: Pick<Bundle, 'nodes' | 'versionOf'>,
): readonly Diagnostic[] {
  const holders = [
    ...(nodes.get('parameter') ?? []).map((node) => parameterHolder(document, node)),
    ...(nodes.get('header') ?? []).map((node) => parameterHolder(document, { ...node, name: 'header', in: 'header' })),
    ...[...nodes.values()].flat().flatMap(({ content }) => mediaHolders(document, content)),
  ];
  const seen = new Set<unknown>();
  return holders.flatMap(({ node, read }) =>
    Object.values(fieldsOf(node['examples'])).flatMap((reference) => {
      const example = isReference(reference) ? resolve<object>(document, reference) : reference;
      if (!isObject(example) || seen.has(example) || !isVersion32(versionOf(node))) return [];
      seen.add(example);
      return wrongExample(example, read);
    }),
  );
}

function wrongExample(example: DocumentNode, read: Holder['read']): Diagnostic[] {
  const { dataValue, serializedValue } = example;
  const excluding = [
    ['value', 'dataValue'],
    ['value', 'serializedValue'],
    ['externalValue', 'serializedValue'],
  ] as const;
  const double = excluding.find((keys) => keys.every((key) => example[key] !== undefined));
  if (double !== undefined)
    return [{ node: example, key: double[0], reason: `${double[0]} is given beside ${double[1]}: keep one of them.` }];
  if (typeof serializedValue !== 'string') return [];
  const fault = (reason: string): Diagnostic[] => [{ node: example, key: 'serializedValue', reason }];
  try {
    const value = read(serializedValue);
    if (dataValue === undefined || canonical(value) === canonical(dataValue)) return [];
    return fault(`serializedValue says ${stringify(value) ?? 'nothing'}, which is not what dataValue says.`);
  } catch (error) {
    return fault(`serializedValue is not what the contract describes: ${messageOf(error)}`);
  }
}

/** A parameter or header, whose text has its name where the style has it. */
function parameterHolder(document: OpenApiDocument, node: DocumentNode): Holder {
  // Safe: it was checked as a parameter.
  const parameter = node as unknown as Parameter;
  const [[mediaType, media] = ['', {}]] = Object.entries(parameter.content ?? {});
  const count = (): ValueCount => new ValueCount();
  const read = (text: string): unknown => {
    if (isQuerystring(parameter))
      return querystringReader(document, { isRequired: true, mediaType, media })(text, count());
    if (parameter.in === 'path' || parameter.in === 'header')
      return new TextField(document, parameter).textValue([text], count());
    const fields = new FormFields(document, [parameter], LOCATIONS[parameter.in]);
    const isCookie = parameter.in === 'cookie';
    const rules = {
      isSpread: (name: string) => fields.isSpread(name),
      isPlain: (name: string) => fields.isPlain(name),
    };
    const values = fields.fieldValues(isCookie ? cookiePairs(text, rules, count()) : formPairs(text, count()), count());
    if (Object.keys(values).length > 0) return values[parameter.name];
    throw new Error(`it has no parameter ${parameter.name}.`);
  };
  return { node, read };
}

/** The media types of a `content` whose texts are read. */
function mediaHolders(document: OpenApiDocument, content: unknown): Holder[] {
  return Object.entries(fieldsOf(content)).flatMap(([mediaType, node]): Holder[] => {
    const kind = bodyKind(mediaType);
    if (!isObject(node) || !['json', 'form', 'text'].includes(kind)) return [];
    // Safe: it was checked as a media type.
    const media = node as MediaTypeObject;
    const read = querystringReader(document, { isRequired: true, mediaType, media });
    // A query is percent-encoded, and so is a form.
    return [{ node, read: (text) => read(kind === 'form' ? text : encodeURIComponent(text), new ValueCount()) }];
  });
}

/** JSON of a value, with the same text for the same values. */
function canonical(value: unknown): string {
  const sorted = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(sorted);
    if (!isObject(part) || 'isLosslessNumber' in part) return part;
    return Object.fromEntries(
      Object.entries(part)
        .toSorted(([left], [right]) => (left < right ? -1 : 1))
        .map(([key, child]) => [key, sorted(child)]),
    );
  };
  return stringify(sorted(value)) ?? '';
}
