// Shows what concerns several operations: the description of the contract or of a tag,
// authentication, a schema.
import { referenceTo } from './contract.js';
import { schemeText } from './credentials.js';
import { element, externalDocsView, linked } from './element.js';
import { exampleOf, textOf } from './example.js';
import { markdown } from './markdown.js';
import { fieldsOf, typeView } from './schema-view.js';
import { tagTitle } from './tags.js';

/** A section of the contract's description; the first has its contact and licence too. */
export function sectionView(contract, section) {
  const { contact, license, termsOfService, version } = contract.info;
  const facts = [
    ['Version', version],
    ['Licence', license?.name, license?.url],
    [
      'Contact',
      contact?.name ?? contact?.email ?? contact?.url,
      contact?.url ?? (contact?.email && `mailto:${contact.email}`),
    ],
    ['Terms', termsOfService && 'Terms of service', termsOfService],
  ].filter(([, text]) => text !== undefined);
  return element(
    'article',
    {},
    element('h1', { tabindex: '-1' }, section.title ?? contract.info.title),
    markdown(section.text, 1),
    section.title === undefined && externalDocsView(contract.spec.externalDocs),
    section.title === undefined &&
      element(
        'dl',
        { class: 'facts' },
        facts.map(([name, text, url]) => [element('dt', {}, name), element('dd', {}, linked(text, url))]),
      ),
  );
}

/** The view of a tag. */
export function tagView(tag) {
  const { description, externalDocs } = tag;
  return element(
    'article',
    {},
    element('h1', { tabindex: '-1' }, tagTitle(tag)),
    markdown(description, 1),
    externalDocsView(externalDocs),
  );
}

/** How to authenticate: each security scheme of the contract. */
export function authenticationView(contract) {
  return element(
    'article',
    {},
    element('h1', { tabindex: '-1' }, 'Authentication'),
    contract.securitySchemes.map(([name, scheme]) => [
      element('h2', {}, name),
      element('p', { class: 'type' }, schemeText(scheme), scheme.deprecated === true && ', deprecated'),
      markdown(scheme.description),
      flowsView(scheme.flows ?? {}),
      [scheme.openIdConnectUrl, scheme.oauth2MetadataUrl]
        .filter((url) => url !== undefined)
        .map((url) => element('p', {}, element('code', {}, url))),
    ]),
  );
}

function flowsView(flows) {
  return Object.entries(flows).map(([name, { authorizationUrl, deviceAuthorizationUrl, tokenUrl, scopes = {} }]) =>
    element(
      'div',
      {},
      element('h3', {}, name),
      [authorizationUrl, deviceAuthorizationUrl, tokenUrl]
        .filter((url) => url !== undefined)
        .map((url) => element('p', {}, element('code', {}, url))),
      element(
        'dl',
        { class: 'facts' },
        Object.entries(scopes).flatMap(([scope, text]) => [
          element('dt', {}, element('code', {}, scope)),
          element('dd', {}, text),
        ]),
      ),
    ),
  );
}

/** A schema of the contract: its fields, and an example. */
export function schemaView(contract, [name]) {
  const schema = referenceTo(name);
  const example = exampleOf(contract, schema, 'response');
  return element(
    'article',
    {},
    element('h1', { tabindex: '-1' }, name),
    element('p', { class: 'path' }, typeView(contract, contract.follow(schema))),
    markdown(contract.follow(schema)?.description, 1),
    externalDocsView(contract.follow(schema)?.externalDocs),
    fieldsOf(contract, schema),
    example === undefined ? '' : [element('h2', {}, 'Example'), element('pre', {}, textOf(example))],
  );
}
