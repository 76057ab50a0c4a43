// The credentials of an operation. They stay in the memory of the page.
import { element } from './element.js';
import { markdown } from './markdown.js';

/** What was entered for each security scheme, for all operations. */
const entered = new Map();

/**
 * The fields for one way to authenticate.
 * @param requirement the schemes that this way needs, each with its scopes.
 */
export function credentialFields(contract, requirement) {
  const schemes = Object.keys(requirement).map((name) => [
    name,
    contract.securitySchemes.find(([known]) => known === name)?.[1],
  ]);
  return schemes.flatMap(([name, scheme]) => {
    if (scheme === undefined) return [];
    if (scheme.type === 'mutualTLS') return [element('p', { class: 'note' }, 'The browser sends its own certificate.')];
    if (scheme.in === 'cookie') return [cookieNote(scheme.name)];
    const fields = [secretField(name, labelOf(scheme, name))];
    if (isBasic(scheme)) fields.unshift(userField(name));
    return fields;
  });
}

/** The credentials of a requirement: scheme, place, secret, and variable in samples of each. */
export function credentialsOf(contract, requirement) {
  const names = Object.keys(requirement);
  return names.flatMap((name) => {
    const scheme = contract.securitySchemes.find(([known]) => known === name)?.[1];
    if (scheme === undefined || scheme.type === 'mutualTLS') return [];
    const value = entered.get(name)?.secret ?? '';
    // A variable cannot begin with a digit.
    const own = name
      .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
      .replaceAll(/\W|^(?=\d)/g, '_')
      .toUpperCase();
    const variable = names.length > 1 ? own : undefined;
    if (scheme.type === 'apiKey') {
      return [{ scheme: name, in: scheme.in, name: scheme.name, prefix: '', value, variable: variable ?? 'API_KEY' }];
    }
    const prefix = `${scheme.type === 'http' ? schemeName(scheme.scheme) : 'Bearer'} `;
    const header = { scheme: name, in: 'header', name: 'Authorization', prefix };
    if (isBasic(scheme)) {
      const { user = '' } = entered.get(name) ?? {};
      // A shell has USER already.
      return [
        { ...header, value, user, userVariable: `${variable ?? 'API'}_USER`, variable: variable ?? 'API_PASSWORD' },
      ];
    }
    // A token may be pasted together with the scheme in front of it.
    const bare = value.trim().replace(new RegExp(`^(${prefix.trim()}\\s+)+`, 'i'), '');
    return [{ ...header, value: bare, variable: variable ?? 'TOKEN' }];
  });
}

/** What a security scheme asks for, in words. */
export function schemeText(scheme) {
  if (scheme.type === 'apiKey')
    return `API key in the ${scheme.in === 'query' ? 'query parameter' : scheme.in} ${scheme.name}`;
  if (scheme.type === 'http')
    return `HTTP ${scheme.scheme}${scheme.bearerFormat === undefined ? '' : `, ${scheme.bearerFormat}`}`;
  return (
    { oauth2: 'OAuth 2.0', openIdConnect: 'OpenID Connect', mutualTLS: 'TLS certificate of the client' }[scheme.type] ??
    scheme.type
  );
}

/** A requirement in words: its schemes, each with the scopes that it needs. */
export function requirementText(requirement) {
  const texts = Object.entries(requirement).map(([name, scopes]) =>
    scopes.length === 0 ? name : `${name} (${scopes.join(', ')})`,
  );
  return texts.join(' and ') || 'none';
}

function isBasic({ type, scheme }) {
  return type === 'http' && /^basic$/i.test(scheme);
}

function schemeName(scheme) {
  return `${scheme.slice(0, 1).toUpperCase()}${scheme.slice(1)}`;
}

function labelOf(scheme, name) {
  if (scheme.type === 'apiKey') return `API key (${scheme.name})`;
  if (isBasic(scheme)) return 'Password';
  return scheme.type === 'http' && !/^bearer$/i.test(scheme.scheme) ? name : 'Access token';
}

/** A field whose text is hidden, with a button to show it. */
function secretField(name, label) {
  const input = element('input', {
    ...{ type: 'password', id: `secret-${name}`, autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off' },
    oninput: () => entered.set(name, { ...entered.get(name), secret: input.value }),
  });
  input.value = entered.get(name)?.secret ?? '';
  const toggle = element(
    'button',
    {
      ...{ type: 'button', 'aria-pressed': 'false', 'aria-label': `Show: ${label}` },
      onclick: () => {
        const isHidden = input.type === 'password';
        input.type = isHidden ? 'text' : 'password';
        toggle.setAttribute('aria-pressed', String(isHidden));
      },
    },
    'Show',
  );
  return element(
    'div',
    { class: 'field' },
    element('label', { for: input.id }, label),
    element('div', { class: 'secret' }, input, toggle),
  );
}

function userField(name) {
  const input = element('input', {
    ...{ id: `user-${name}`, autocomplete: 'off', spellcheck: 'false', autocapitalize: 'off' },
    oninput: () => entered.set(name, { ...entered.get(name), user: input.value }),
  });
  input.value = entered.get(name)?.user ?? '';
  return element('div', { class: 'field' }, element('label', { for: input.id }, 'User'), input);
}

function cookieNote(name) {
  return element(
    'div',
    { class: 'note' },
    markdown(`A page cannot send the cookie \`${name}\` itself. The browser sends it if the service has set it.`),
  );
}
