// A request as code. Secrets are variables of the environment, so that no sample holds one.
import { inQuery, typescript } from './typescript-sample.js';

/** The methods for which the package requests has a function. */
const PYTHON = ['GET', 'OPTIONS', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The languages of samples, each with a function from a request to code. */
export const SAMPLES = [
  ['curl', (_contract, request) => curl(request)],
  ['TypeScript', typescript],
  ['Python', (_contract, request) => python(request)],
];

function curl(request) {
  const { method, url, headers, cookies, credentials, body, isStream } = request;
  const lines = [method === 'GET' ? 'curl' : method === 'HEAD' ? 'curl --head' : `curl -X ${method}`];
  if (isStream) lines.push('-N');
  for (const credential of credentials) {
    const { name, prefix, userVariable, variable } = credential;
    if (userVariable !== undefined) lines.push(`-u "$${userVariable}:$${variable}"`);
    else if (credential.in === 'header') lines.push(`-H "${shellText(name)}: ${prefix}$${variable}"`);
    else if (credential.in === 'cookie') lines.push(`-b "${shellText(name)}=$${variable}"`);
    else lines.push(`--url-query "${encodeURIComponent(name)}=$${variable}"`);
  }
  for (const [name, value] of cookies) lines.push(`-b ${shellQuoted(`${name}=${value}`)}`);
  // An empty header has a form of its own.
  for (const [name, value] of headers) lines.push(`-H ${shellQuoted(value === '' ? `${name};` : `${name}: ${value}`)}`);
  for (const { name, text, file, type } of body?.parts ?? []) {
    const typed = type === undefined ? '' : `;type=${type}`;
    if (file !== undefined) lines.push(`-F ${shellQuoted(`${name}=@${curlQuoted(file.name)}${typed}`)}`);
    else if (type === undefined) lines.push(`--form-string ${shellQuoted(`${name}=${text}`)}`);
    else lines.push(`-F ${shellQuoted(`${name}=${curlQuoted(text)}${typed}`)}`);
  }
  if (body?.file !== undefined) lines.push(`--data-binary ${shellQuoted(`@${body.file.name}`)}`);
  if (body?.text !== undefined) lines.push(`--data-raw ${shellQuoted(body.text)}`);
  lines.push(shellWord(url));
  return lines.join(' \\\n  ');
}

function python({ method, url, headers, cookies, credentials, body, isStream }) {
  const sent = headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const lines = [JSON.stringify(url)];
  const secretPairs = inQuery(credentials).map(
    ({ name, variable }) => `${JSON.stringify(name)}: os.environ['${variable}']`,
  );
  if (secretPairs.length > 0) lines.push(`params={${secretPairs.join(', ')}}`);
  const jar = cookies.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  for (const { in: place, name, prefix, userVariable, variable } of credentials) {
    const secret = `os.environ['${variable}']`;
    if (userVariable !== undefined) lines.push(`auth=(os.environ['${userVariable}'].encode(), ${secret}.encode())`);
    else if (place === 'header') sent.unshift(`${JSON.stringify(name)}: f"${prefix}{${secret}}"`);
    else if (place === 'cookie') jar.push(`${JSON.stringify(name)}: ${secret}`);
  }
  if (sent.length > 0) lines.push(`headers={${sent.join(', ')}}`);
  if (jar.length > 0) lines.push(`cookies={${jar.join(', ')}}`);
  if (body?.text !== undefined)
    lines.push(`data=${JSON.stringify(body.text)}${/^\p{ASCII}*$/u.test(body.text) ? '' : '.encode()'}`);
  if (body?.file !== undefined) lines.push(`data=open(${JSON.stringify(body.file.name)}, "rb")`);
  if (body?.parts !== undefined) {
    const parts = body.parts.map(({ name, text, file, type }) => {
      const members =
        file === undefined
          ? ['None', JSON.stringify(text)]
          : [JSON.stringify(file.name), `open(${JSON.stringify(file.name)}, "rb")`];
      return `(${JSON.stringify(name)}, (${[...members, ...(type === undefined ? [] : [JSON.stringify(type)])].join(', ')}))`;
    });
    lines.push(`files=[${parts.join(', ')}]`);
  }
  lines.push(...(isStream ? ['stream=True', 'timeout=(10, None)'] : ['timeout=10']));
  const call = PYTHON.includes(method)
    ? `requests.${method.toLowerCase()}(`
    : `requests.request(${JSON.stringify(method)}, `;
  return `${credentials.length === 0 ? '' : 'import os\n'}import requests

response = ${call}
${lines.map((line) => `    ${line},\n`).join('')})
${isStream ? 'print(response.status_code)\nfor line in response.iter_lines():\n    print(line.decode(), flush=True)' : 'print(response.status_code, response.text)'}`;
}

/** A word of a shell, in quotes where it needs them. */
function shellWord(text) {
  return /^[\w:/.%,+=@-]+$/.test(text) ? text : shellQuoted(text);
}

/** A text within double quotes of a shell. */
function shellText(text) {
  return text.replaceAll(/[\\"$`]/g, String.raw`\$&`);
}

/** A value of curl's -F. */
function curlQuoted(text) {
  return `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
}

function shellQuoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
