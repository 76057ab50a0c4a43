// The fields of a request: one for each parameter, and those of its body.
/* global LosslessJSON, File */
import { typesOf } from './contract.js';
import { element } from './element.js';
import { examplesOf, isJson, isText, textOf } from './example.js';
import { formParts, formText } from './request.js';
import { propertiesOf } from './schema-view.js';
import { exampleItems, itemLines, itemsIn, streamText } from './stream-items.js';

const FORM = 'application/x-www-form-urlencoded';
/** The type of a text where the contract has a range of them. */
const TEXT_IN_RANGE = { '*/*': 'application/json', 'application/*': 'application/json', 'text/*': 'text/plain' };
let count = 0;

/** Text that a service must get as it was typed: nothing corrects it. */
const VERBATIM = { autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' };

/**
 * The field of a parameter.
 * @returns its element, and `read`, which returns its value, or undefined when it is left out, and
 * throws an Error that says what is wrong with it.
 */
export function parameterField(contract, parameter) {
  const { name, required, content } = parameter;
  const [[mediaType, media] = []] = Object.entries(content ?? {});
  const schema = contract.unwrapped(parameter.schema ?? media?.schema);
  const [[, example] = []] = examplesOf(contract, { ...media, ...parameter, schema }, 'request');
  const field = valueField(contract, {
    name,
    required: required === true,
    example,
    schema,
    // A form is written from its members.
    mediaType: mediaType === FORM ? undefined : mediaType,
    hint: parameter.in === 'cookie' ? 'in samples only' : undefined,
  });
  return {
    element: field.element,
    read: () => {
      const value = field.read();
      // The URL would lead somewhere else (RFC 3986, section 5.2.4).
      if (parameter.in === 'path' && ['', '.', '..'].includes(String(value)))
        throw field.error(`${name} must be a name other than . and ..`);
      return value;
    },
  };
}

/**
 * The fields of a request body, with a choice of its media type.
 * @param changed is called when other fields are shown.
 * @returns its element, and `read`, as of {@link parameterField}; a draft may lack its files.
 */
export function bodyFields(contract, body, changed) {
  const types = Object.keys(body?.content ?? {});
  if (types.length === 0) return { element: element('div'), read: () => undefined };
  const made = new Map();
  const place = element('div');
  let current;
  const show = (type) => {
    if (!made.has(type)) made.set(type, mediaFields(contract, type, body.content[type], body.required === true));
    current = made.get(type);
    place.replaceChildren(current.element);
    changed();
  };
  const choice = types.length > 1 ? choiceField('Media type', types, show) : undefined;
  show(types[0]);
  return { element: element('div', {}, choice ?? '', place), read: (given) => current.read(given) };
}

/** A labelled choice of texts. */
export function choiceField(label, texts, chosen) {
  const id = `field-${++count}`;
  const select = element('select', { id, onchange: () => chosen(texts[select.selectedIndex], select.selectedIndex) });
  select.append(...texts.map((text) => element('option', {}, text)));
  return element('div', { class: 'field' }, element('label', { for: id }, label), select);
}

function mediaFields(contract, type, media, required) {
  const schema = contract.follow(media.schema) ?? {};
  const isMultipart = /^multipart\//i.test(type);
  const properties = type === FORM || isMultipart ? propertiesOf(contract, schema) : [];
  if (properties.length > 0) return formFields(contract, type, media, properties);
  if (
    isFile(contract, schema) ||
    isMultipart ||
    /octet-stream|^(image|audio|video)\//i.test(type) ||
    (isUnknown(contract, media) && !isText(type) && TEXT_IN_RANGE[type] === undefined)
  ) {
    return fileBody(type, required);
  }
  return textBody(contract, TEXT_IN_RANGE[type] ?? type, media, required);
}

/** A body as it is sent, or of a stream its items as lines of JSON, which are simpler to edit. */
function textBody(contract, type, media, required) {
  const id = `field-${++count}`;
  const { stream } = media;
  const examples = examplesOf(contract, media, 'request');
  const area = element('textarea', { id, class: 'body', ...VERBATIM });
  const fill = (text) => {
    area.value = text;
    area.rows = Math.min(Math.max(text.split('\n').length, 3), 20);
  };
  const texts = examples.map(([, value, text]) => {
    const items = stream && exampleItems(contract, stream, value ?? text);
    return items === undefined ? (text ?? textOf(value, type)) : itemLines(items);
  });
  fill(texts[0] ?? '');
  const choice =
    examples.length > 1
      ? choiceField(
          'Example',
          examples.map(([name]) => name),
          (_, index) => fill(texts[index]),
        )
      : '';
  return {
    element: element('div', {}, choice, labelled(id, 'Body', required, area, stream && 'one item in each line, JSON')),
    read: () => {
      if (area.value === '' && !required) return undefined;
      const items = stream && itemsIn(area.value);
      return { type, items, text: items === undefined ? area.value : streamText(stream, items) };
    },
  };
}

function fileBody(type, required) {
  const id = `field-${++count}`;
  const input = element('input', { id, type: 'file' });
  return {
    element: labelled(id, 'Body', required, input),
    read: ({ isDraft }) => {
      const [file] = filesOf(input, { name: 'Body', required, isDraft });
      if (file === undefined) return undefined;
      // Of a range, such as image/*, a request names one type.
      return { type: type.includes('*') && file.type !== '' ? file.type : type, file };
    },
  };
}

function formFields(contract, type, media, properties) {
  const [[, example] = []] = examplesOf(contract, media, 'request');
  const fields = properties
    .filter(([, property]) => contract.follow(property)?.readOnly !== true)
    .map(([name, property, required]) => {
      const schema = contract.unwrapped(property);
      const isBytes =
        isFile(contract, schema) ||
        /octet-stream|image\//.test(media.encoding?.[name]?.contentType ?? '') ||
        // The default is application/octet-stream (OpenAPI 3.1, "Encoding Object").
        (type !== FORM &&
          media.encoding?.[name] === undefined &&
          isUnknown(contract, { schema, example: example?.[name] }));
      return [
        name,
        isBytes
          ? fileField(contract, name, required, schema)
          : valueField(contract, { name, required, example: example?.[name], schema }),
      ];
    });
  return {
    element: element(
      'div',
      {},
      fields.map(([, field]) => field.element),
    ),
    read: ({ isDraft }) => {
      const values = fields
        .map(([name, field]) => [name, field.read({ isDraft })])
        .filter(([, value]) => value !== undefined);
      return type === FORM
        ? { type, text: formText(values, media.encoding) }
        : { type, parts: formParts(values, media.encoding) };
    },
  };
}

function fileField(contract, name, required, schema) {
  const id = `field-${++count}`;
  const input = element('input', { id, type: 'file', multiple: isList(contract, schema) });
  return {
    element: labelled(id, name, required, input),
    read: ({ isDraft }) => {
      const files = filesOf(input, { name, required, isDraft });
      return input.multiple && files.length > 0 ? files : files[0];
    },
  };
}

/** The chosen files. Until a required one is chosen, a draft names it. */
function filesOf(input, { name, required, isDraft }) {
  input.removeAttribute('aria-invalid');
  if (input.files.length > 0 || !required) return [...input.files];
  if (isDraft) return [new File([], 'file')];
  throw invalid(input, `${name} is required`);
}

/** Marks a field as wrong. @returns an Error that says why. */
function invalid(input, message) {
  input.setAttribute('aria-invalid', 'true');
  return Object.assign(new Error(message), { input });
}

/** Whether a schema admits an array. */
function isList(contract, schema) {
  const { oneOf = [], anyOf = [] } = schema;
  return (
    typesOf(schema).includes('array') || [...oneOf, ...anyOf].some((part) => isList(contract, contract.follow(part)))
  );
}

/**
 * A field for one value: a choice, a line, a line for each item of an array, or JSON.
 * @param mediaType of a value that is the text of a media type, as sent.
 */
function valueField(contract, { name, required, example, schema, mediaType, hint }) {
  const id = `field-${++count}`;
  const type = mediaType === undefined ? valueType(schema) : 'string';
  const textIn = (value) => (isJson(mediaType ?? '') ? LosslessJSON.stringify(value) : fieldText(value));
  const texts = type === 'boolean' ? ['true', 'false'] : schema.enum?.filter((value) => value !== null).map(textIn);
  const text = example === undefined ? '' : textIn(example);
  const input = inputFor(id, type, required, texts, text);
  if (required) input.value = text;
  const error = (message) => invalid(input, message);
  return {
    error,
    element: labelled(
      id,
      name,
      required,
      input,
      [{ array: 'one item in each line', object: 'JSON' }[type], hint].filter(Boolean).join(', '),
    ),
    read: () => {
      input.removeAttribute('aria-invalid');
      if (input.value === '') {
        if (!required || type === 'string') return required ? '' : undefined;
        throw error(`${name} is required`);
      }
      try {
        return valueOf(contract, schema, type, input.value);
      } catch {
        throw error(`${name} must be JSON`);
      }
    },
  };
}

function inputFor(id, type, required, texts, example) {
  if (texts !== undefined) {
    return element(
      'select',
      { id },
      [...(required ? [] : ['']), ...texts].map((text) => element('option', {}, text)),
    );
  }
  const attributes = { id, placeholder: required ? undefined : example, ...VERBATIM };
  if (type === 'array' || type === 'object') return element('textarea', { ...attributes, class: 'body', rows: '2' });
  return element('input', { type: 'text', ...attributes });
}

function fieldText(example) {
  const lineOf = (item) => (typeof item === 'string' ? item : LosslessJSON.stringify(item));
  if (Array.isArray(example)) return example.map(lineOf).join('\n');
  return textOf(example, 'text/plain');
}

/** The type of a value that a text may represent. */
function valueType(schema) {
  return typesOf(schema).find((type) => type !== 'null');
}

/** The value that a text represents. A number keeps its digits. */
function valueOf(contract, schema, type, text) {
  if (type === 'array') {
    const items = contract.unwrapped(schema.items);
    // The last line may end, too.
    const lines = text.replace(/\n$/, '').split('\n');
    return lines.map((line) => valueOf(contract, items, valueType(items), line));
  }
  if (type === 'object') return LosslessJSON.parse(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  const isNumeric = type === 'integer' || type === 'number';
  return isNumeric && LosslessJSON.isNumber(text) ? new LosslessJSON.LosslessNumber(text) : text;
}

/** Whether a value is bytes, or a list of them. */
function isFile(contract, schema) {
  const { format, contentMediaType, contentEncoding, items, oneOf = [], anyOf = [] } = contract.follow(schema) ?? {};
  if (format === 'binary') return true;
  if (contentMediaType !== undefined && contentEncoding === undefined && !isJson(contentMediaType)) return true;
  return [items, ...oneOf, ...anyOf].some((part) => part !== undefined && isFile(contract, part));
}

/** Whether neither a schema nor an example says what a value is: it may be bytes. */
function isUnknown(contract, media) {
  return examplesOf(contract, media, 'request').length === 0;
}

function labelled(id, label, required, input, hint) {
  return element(
    'div',
    { class: 'field' },
    element(
      'label',
      { for: id },
      label,
      required && element('span', { class: 'required' }, ' required'),
      hint && `, ${hint}`,
    ),
    input,
  );
}
