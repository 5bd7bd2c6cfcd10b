// Every hand-written statement that returns rows, with the row type that the code declares for it: `db.rows<Row>`SELECT …``. The text is
// put together from the source, so that a test can ask PostgreSQL what each statement returns without running the code around it.
import { dirname, relative } from 'node:path';
import ts from 'typescript';

/** `string`, `number[]`, `json`, … as in PARSERS (src/store/db.ts); `any` for unknown. */
export type Kind = string;

export interface DeclaredColumn {
  readonly kind: Kind;
  readonly nullable: boolean;
  readonly optional: boolean;
}

export interface WrittenStatement {
  readonly place: string;
  /** null: a piece of it is not known before the program runs. */
  readonly text: string | null;
  readonly unknown?: string;
  readonly row: ReadonlyMap<string, DeclaredColumn>;
}

export function writtenStatements(files: readonly string[]): WrittenStatement[] {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile('tsconfig.json', (name) => ts.sys.readFile(name)).config,
    ts.sys,
    process.cwd(),
  );
  const { tsBuildInfoFile: _ignored, ...rest } = options;
  const program = ts.createProgram([...files], { ...rest, incremental: false });
  const reader = new StatementReader(program.getTypeChecker());
  const wanted = new Set(files.map((file) => relative(process.cwd(), file)));
  return program
    .getSourceFiles()
    .filter(({ fileName }) => wanted.has(relative(process.cwd(), fileName)))
    .flatMap((file) => reader.statementsIn(file));
}

/** What a name stands for in a function that is read for one of its calls. */
type Scope = ReadonlyMap<ts.Symbol, { readonly value: ts.Expression; readonly scope: Scope }>;
const NOTHING: Scope = new Map();

class Unknown extends Error {}

class StatementReader {
  readonly #checker: ts.TypeChecker;
  #parameters = 0;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  statementsIn(file: ts.SourceFile): WrittenStatement[] {
    const found: WrittenStatement[] = [];
    const visit = (node: ts.Node): void => {
      const call = rowsCall(node);
      if (call) found.push(this.#statement(file, call));
      ts.forEachChild(node, visit);
    };
    visit(file);
    return found;
  }

  #statement(file: ts.SourceFile, { node, rowType, query }: RowsCall): WrittenStatement {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const place = `${relative(process.cwd(), file.fileName)}:${String(line + 1)}`;
    const row = this.#columnsOf(this.#checker.getTypeFromTypeNode(rowType));
    this.#parameters = 0;
    try {
      return { place, row, text: this.#statementText(query) };
    } catch (error) {
      if (!(error instanceof Unknown)) throw error;
      return { place, row, text: null, unknown: error.message };
    }
  }

  #statementText(query: ts.Expression | ts.TemplateLiteral): string {
    if (ts.isTemplateLiteral(query)) return this.#template(query, NOTHING);
    const type = this.#checker.getTypeAtLocation(query);
    if (isSql(type)) return this.#fragment(query, NOTHING);
    const text = ts.isObjectLiteralExpression(query) ? this.#property(query, 'text', NOTHING) : null;
    if (text === null) throw new Unknown(query.getText());
    return text;
  }

  /** `{ ...NAMED, values }`: the text of NAMED. */
  #property(object: ts.ObjectLiteralExpression, name: string, scope: Scope): string | null {
    for (const member of object.properties) {
      if (ts.isPropertyAssignment(member) && member.name.getText() === name)
        return this.#string(member.initializer, scope);
      if (ts.isSpreadAssignment(member)) {
        const literal = this.#resolve(member.expression, scope);
        if (ts.isObjectLiteralExpression(literal.value))
          return this.#property(literal.value, name, literal.scope);
      }
    }
    return null;
  }

  #template(template: ts.TemplateLiteral, scope: Scope): string {
    if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
    const pieces = template.templateSpans.map(
      ({ expression, literal }) => this.#value(expression, scope) + literal.text,
    );
    return template.head.text + pieces.join('');
  }

  #value(expression: ts.Expression, scope: Scope): string {
    const type = this.#checker.getTypeAtLocation(expression);
    if (isSql(type)) return this.#fragment(expression, scope);
    return `$${String(++this.#parameters)}`;
  }

  #fragment(expression: ts.Expression, scope: Scope): string {
    const { value, scope: inside } = this.#resolve(expression, scope);
    if (ts.isTaggedTemplateExpression(value) && value.tag.getText() === 'sql')
      return this.#template(value.template, inside);
    if (ts.isIdentifier(value) && value.text === 'empty') return '';
    if (ts.isConditionalExpression(value)) return this.#fragment(value.whenTrue, inside);
    if (ts.isCallExpression(value)) {
      const name = value.expression.getText();
      const [first] = value.arguments;
      if (name === 'raw' && first) return this.#string(first, inside);
      if (name === 'join' && first) {
        const [, separator] = value.arguments;
        const isFilter =
          separator !== undefined && ts.isStringLiteral(separator) && separator.text === ' AND ';
        return isFilter ? 'true' : this.#joined(first, inside);
      }
      const { body, scope: called } = this.#enter(value, inside);
      return this.#fragment(body, called);
    }
    throw new Unknown(value.getText().slice(0, 60));
  }

  /** `list.map((one) => sql`…`)`: one of them stands for all. */
  #joined(list: ts.Expression, scope: Scope): string {
    if (!ts.isCallExpression(list) || !ts.isPropertyAccessExpression(list.expression))
      throw new Unknown(list.getText().slice(0, 60));
    const [make] = list.arguments;
    if (list.expression.name.text !== 'map' || !make || !ts.isArrowFunction(make) || ts.isBlock(make.body))
      throw new Unknown(list.getText().slice(0, 60));
    return this.#fragment(make.body, scope);
  }

  #string(expression: ts.Expression, scope: Scope): string {
    const { value, scope: inside } = this.#resolve(expression, scope);
    if (ts.isStringLiteralLike(value)) return value.text;
    if (ts.isTemplateExpression(value))
      return (
        value.head.text +
        value.templateSpans.map((span) => this.#string(span.expression, inside) + span.literal.text).join('')
      );
    if (ts.isConditionalExpression(value)) {
      const test = value.condition;
      if (ts.isBinaryExpression(test) && test.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken) {
        const isSame = this.#string(test.left, inside) === this.#string(test.right, inside);
        return this.#string(isSame ? value.whenTrue : value.whenFalse, inside);
      }
    }
    if (ts.isCallExpression(value)) {
      const { body, scope: called } = this.#enter(value, inside);
      return this.#string(body, called);
    }
    throw new Unknown(value.getText().slice(0, 60));
  }

  /** What a function returns for a call: of several returns, the last, which has no more special cases before it. */
  #enter(call: ts.CallExpression, scope: Scope): { readonly body: ts.Expression; readonly scope: Scope } {
    const declared = this.#checker.getResolvedSignature(call)?.declaration;
    if (!declared || !('body' in declared) || !declared.body) throw new Unknown(call.getText().slice(0, 60));
    const inside = new Map(scope);
    for (const [index, parameter] of declared.parameters.entries()) {
      const value = call.arguments[index] ?? parameter.initializer;
      if (value && ts.isIdentifier(parameter.name)) {
        const symbol = this.#checker.getSymbolAtLocation(parameter.name);
        if (symbol) inside.set(symbol, { value, scope });
      }
    }
    const body = declared.body as ts.Expression | ts.Block;
    if (!ts.isBlock(body)) return { body, scope: inside };
    const last = body.statements.findLast(ts.isReturnStatement)?.expression;
    if (!last) throw new Unknown(call.getText().slice(0, 60));
    return { body: last, scope: inside };
  }

  /** Through names to what they were declared as. */
  #resolve(
    expression: ts.Expression,
    scope: Scope,
  ): { readonly value: ts.Expression; readonly scope: Scope } {
    if (ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression))
      return this.#resolve(expression.expression, scope);
    if (!ts.isIdentifier(expression) || expression.text === 'empty') return { value: expression, scope };
    let symbol = this.#checker.getSymbolAtLocation(expression);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = this.#checker.getAliasedSymbol(symbol);
    const bound = symbol && scope.get(symbol);
    if (bound) return this.#resolve(bound.value, bound.scope);
    const declared = symbol?.valueDeclaration;
    if (declared && ts.isVariableDeclaration(declared) && declared.initializer)
      return this.#resolve(declared.initializer, scope);
    throw new Unknown(expression.text);
  }

  #columnsOf(type: ts.Type): ReadonlyMap<string, DeclaredColumn> {
    return new Map(
      this.#checker.getPropertiesOfType(type).map((property) => {
        const declared = this.#checker.getTypeOfSymbol(property);
        const parts = declared.isUnion() ? declared.types : [declared];
        const isNull = (part: ts.Type) => (part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) !== 0;
        const column = {
          kind: this.#kindOf(parts.filter((part) => !isNull(part))),
          nullable: parts.some(isNull) || (declared.flags & ts.TypeFlags.Unknown) !== 0,
          optional: (property.flags & ts.SymbolFlags.Optional) !== 0,
        };
        return [property.name, column];
      }),
    );
  }

  #kindOf(parts: readonly ts.Type[]): Kind {
    const kinds = new Set(parts.map((part) => this.#kindOfOne(part)));
    return kinds.size === 1 ? [...kinds].join() : [...kinds].sort().join(' or ');
  }

  #kindOfOne(type: ts.Type): Kind {
    const { flags } = type;
    if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return 'any';
    if (flags & ts.TypeFlags.StringLike) return 'string';
    if (flags & ts.TypeFlags.NumberLike) return 'number';
    if (flags & ts.TypeFlags.BigIntLike) return 'bigint';
    if (flags & ts.TypeFlags.BooleanLike) return 'boolean';
    // A brand: `string & { … }`.
    if (type.isIntersection()) return this.#kindOfOne(type.types[0] ?? type);
    const name = type.symbol?.name;
    if (name === 'Date' || name === 'Decimal') return name;
    if (name === 'Buffer' || name === 'Uint8Array') return 'Buffer';
    if (this.#checker.isArrayType(type)) {
      const [item] = this.#checker.getTypeArguments(type as ts.TypeReference);
      const kind = item ? this.#kindOf(item.isUnion() ? item.types : [item]) : 'any';
      return kind === 'json' ? 'json' : `${kind}[]`;
    }
    return 'json';
  }
}

interface RowsCall {
  readonly node: ts.Node;
  readonly rowType: ts.TypeNode;
  readonly query: ts.Expression | ts.TemplateLiteral;
}

function rowsCall(node: ts.Node): RowsCall | null {
  if (ts.isTaggedTemplateExpression(node) && isRows(node.tag)) {
    const [rowType] = node.typeArguments ?? [];
    return rowType ? { node, rowType, query: node.template } : null;
  }
  if (ts.isCallExpression(node) && isRows(node.expression)) {
    const [rowType] = node.typeArguments ?? [];
    const [query] = node.arguments;
    return rowType && query ? { node, rowType, query } : null;
  }
  return null;
}

function isRows(expression: ts.Expression): boolean {
  return ts.isPropertyAccessExpression(expression) && expression.name.text === 'rows';
}

function isSql(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(isSql);
  const [declared] = type.symbol?.declarations ?? [];
  return (
    type.symbol?.name === 'Sql' &&
    declared !== undefined &&
    dirname(declared.getSourceFile().fileName).includes('sql-template-tag')
  );
}
