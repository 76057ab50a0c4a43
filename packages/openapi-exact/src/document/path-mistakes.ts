import { templateNames, templateQuery, withoutFragment } from './path-template.ts';

/** A possible mistake, and what it is. */
type Mistake = readonly [isMade: boolean, reason: string];

/**
 * What is wrong with a path template, as the ends of sentences that begin with it.
 * @param isStrict whether the grammar of OpenAPI 3.2 holds ("Path Templating").
 */
export function pathMistakes(path: string, isStrict: boolean): readonly string[] {
  const { names, literal } = templateNames(path);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  const mistakes: readonly Mistake[] = [
    ...(isStrict ? strictMistakes(path, literal) : []),
    [!path.startsWith('/'), "must begin with '/'."],
    [
      templateQuery(path).some((part) => !/^[^={}]+=[^{}]*$/.test(part)),
      "must end before '?', or in name=value: declare parameters in the query.",
    ],
    [/[{}]/.test(literal), 'must have each parameter as {name}: close its braces, with a name between them.'],
    [repeated !== undefined, `has two parameters {${repeated}}: rename one of them.`],
    [
      path.slice(withoutFragment(path).length).includes('{'),
      "has a parameter behind '#', which no client sends: declare it in the query.",
    ],
    [path.includes('}{'), 'cannot be served: put text between two parameters, to tell where one ends.'],
  ];
  return mistakes.filter(([isMade]) => isMade).map(([, reason]) => reason);
}

function strictMistakes(path: string, literal: string): readonly Mistake[] {
  const [wrong = ''] = /[^\w.~!$&'()*+,;=:@%/{}-]|%(?![0-9a-f]{2})/iu.exec(literal) ?? [];
  return [
    [wrong === '?', "must end before '?': declare parameters in the query (OpenAPI 3.2)."],
    [wrong === '#', "must end before '#', which no client sends (OpenAPI 3.2)."],
    [
      !['', '?', '#'].includes(wrong),
      `must have '${wrong}' percent-encoded, as ${encodeURIComponent(wrong)} (OpenAPI 3.2).`,
    ],
    [path.replaceAll(/\{[^{}]*\}/g, 'x').includes('//'), 'must have no empty segment (OpenAPI 3.2).'],
  ];
}
