// The functions of spec/protocol.qnt as TypeScript: its pure definitions, operator by operator. The installed program checks
// histories with them and needs no Quint; a test holds the file against the specification.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import prettier from 'prettier';

export const SPECIFICATION = new URL('../spec/protocol.qnt', import.meta.url);
export const COMPILED = new URL('../lab/proof/specification/compiled-protocol.ts', import.meta.url);

const INFIX = { eq: '===', neq: '!==', iadd: '+', isub: '-', igt: '>', ilt: '<', ilte: '<=', igte: '>=' };
const TYPES = { str: 'string', bool: 'boolean', int: 'number', Doc: 'Doc' };

export async function compileSpecification(text = readFileSync(SPECIFICATION, 'utf8')) {
  const quint = createRequire(import.meta.url)('@informalsystems/quint');
  const { modules, errors } = quint.parsePhase1fromText(quint.newIdGenerator(), text, 'protocol.qnt');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  const { declarations } = modules[0];
  const doc = declarations.find(({ kind, name }) => kind === 'typedef' && name === 'Doc');
  const definitions = declarations.filter(({ qualifier }) => qualifier === 'puredef');
  const source = [
    '// Made from spec/protocol.qnt by `npm run generate`. Change that file instead.',
    typeOf(doc),
    // What a step does stands right under when it may be taken.
    definitions
      .map((one) => `${definitionOf(one)}\n${isGuard(one) ? '' : '\n'}`)
      .join('')
      .trimEnd(),
    stepsOf(definitions),
  ].join('\n\n');
  const options = await prettier.resolveConfig(new URL(import.meta.url).pathname);
  return prettier.format(source, { ...options, parser: 'typescript' });
}

function typeOf({ type }) {
  const fields = type.fields.fields.map(
    ({ fieldName, fieldType: { kind } }) =>
      `readonly ${fieldName}: ${kind === 'fun' ? 'Readonly<Record<string, string>>' : TYPES[kind]};`,
  );
  return `export interface Doc {\n${fields.join('\n')}\n}`;
}

function definitionOf({ name, expr, typeAnnotation }) {
  const { params, expr: body } = expr;
  const given = params.map(({ name: param, typeAnnotation: type }) => `${param}: ${typeName(type)}`);
  const result = code(body);
  const unused = params.filter(({ name: param }) => !new RegExp(`\\b${param}\\b`).test(result));
  const list = given.map((one, at) => (unused.includes(params[at]) ? `_${one}` : one)).join(', ');
  return `export function ${functionName(name)}(${list}): ${typeName(typeAnnotation.res)} {\n${bodyOf(body)}\n}`;
}

/** `void` and the like are words of the language. */
function functionName(name) {
  return name === 'void' ? 'voidAttempt' : name;
}

function typeName(type) {
  if (type.kind === 'set') return 'readonly string[]';
  const known = TYPES[type.kind === 'const' ? type.name : type.kind];
  if (!known) throw new Error(`no such type here: ${type.kind}`);
  return known;
}

function bodyOf(expr) {
  if (expr.kind !== 'let') return `return ${code(expr)};`;
  const { opdef } = expr;
  return `const ${opdef.name} = ${code(opdef.expr)};\n${bodyOf(expr.expr)}`;
}

function code(expr) {
  switch (expr.kind) {
    case 'str':
      return JSON.stringify(expr.value);
    case 'bool':
      return String(expr.value);
    case 'int':
      return String(expr.value);
    case 'name':
      return expr.name;
    case 'let':
      return `(() => {\n${bodyOf(expr)}\n})()`;
    case 'app':
      return application(expr.opcode, expr.args);
    default:
      throw new Error(`not in the part of Quint that is compiled: ${expr.kind}`);
  }
}

function application(opcode, args) {
  const given = args.map(code);
  if (opcode in INFIX) return `(${given.join(` ${INFIX[opcode]} `)})`;
  switch (opcode) {
    case 'and':
      return `(${given.join(' && ')})`;
    case 'or':
      return `(${given.join(' || ')})`;
    case 'not':
      return `!${given[0]}`;
    case 'implies':
      return `(!${given[0]} || ${given[1]})`;
    case 'ite':
      return `(${given[0]} ? ${given[1]} : ${given[2]})`;
    case 'field':
      return `${given[0]}.${args[1].value}`;
    case 'with':
      return withFields(args);
    case 'Set':
      return `[${given.join(', ')}]`;
    case 'contains':
      return `${given[0]}.includes(${given[1]})`;
    case 'get':
      return `(${given[0]}[${given[1]}] ?? 'nothing')`;
    case 'put':
      return `{ ...${given[0]}, [${given[1]}]: ${given[2]} }`;
    case 'Map':
      return `{ ${args.map(({ args: [key, value] }) => `${code(key)}: ${code(value)}`).join(', ')} }`;
    case 'Rec':
      return record(args);
    default:
      return `${functionName(opcode)}(${given.join(', ')})`;
  }
}

/** `d.with(a, x).with(b, y)` is one record: what is given never speaks of the one in between. */
function withFields([record, field, value]) {
  const set = `${field.value}: ${code(value)}`;
  return record.kind === 'app' && record.opcode === 'with'
    ? `${withFields(record.args).slice(0, -2)}, ${set} }`
    : `{ ...${code(record)}, ${set} }`;
}

function record(args) {
  const fields = [];
  for (let at = 0; at < args.length; at += 2) fields.push(`${args[at].value}: ${code(args[at + 1])}`);
  return `{ ${fields.join(', ')} }`;
}

function isGuard({ name }) {
  return /^can[A-Z]/.test(name);
}

/** Every step by its name: whether it may be taken, and what is then. */
function stepsOf(definitions) {
  const guards = definitions.filter(isGuard);
  const rows = guards.map(({ name, expr: { params } }) => {
    const step = `${name[3].toLowerCase()}${name.slice(4)}`;
    return `${functionName(step)}: { can: ${name}, go: ${functionName(step)}, byWorker: ${params.length > 1} },`;
  });
  return `export const STEPS = {\n${rows.join('\n')}\n} as const;`;
}
