/** Keywords of a schema that assert nothing. */
const ANNOTATIONS = [
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  '$comment',
  'externalDocs',
  'xml',
];

/** Whether a keyword of a schema asserts nothing of values. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.includes(keyword) || keyword.startsWith('x-');
}
