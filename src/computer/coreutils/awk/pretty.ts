import type { Expression, FunctionNode, Program, Rule, Statement, StatementOf } from './nodes.ts';

/** Formats a program in gawk's own style, for `--pretty-print`; comments are lost. */
export function prettyPrint(program: Program): string {
	const special = (word: string, actions: readonly Statement[]) =>
		actions.map((action) => `${word} ${body(action, 0)}\n\n`);
	const functions = [...program.functions.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
	return [
		...special('BEGIN', program.begin),
		...special('BEGINFILE', program.beginFile),
		...program.rules.map(rule),
		...special('ENDFILE', program.endFile),
		...special('END', program.end),
		...functions.map(definition)
	].join('');
}

function rule({ pattern, until, action }: Rule): string {
	const range = [pattern, until].filter((one) => one !== null).map((one) => written(one));
	const head = range.join(', ');
	if (!action) return `${head} {\n\tprint\n}\n\n`;
	return `${head === '' ? '' : `${head} `}${body(action, 0)}\n\n`;
}

const definition = ({ name, parameters, body: actions }: FunctionNode): string =>
	`\nfunction ${name}(${parameters.join(', ')})\n${body(actions, 0)}\n`;

const margin = (depth: number) => '\t'.repeat(depth);

/** Formats a statement in braces, even if the source has none. */
function body(node: Statement, depth: number): string {
	const statements = node.type === 'block' ? node.body : [node];
	return `{\n${statements.map((one) => statement(one, depth + 1)).join('')}${margin(depth)}}`;
}

function statement(node: Statement, depth: number): string {
	const start = margin(depth);
	switch (node.type) {
		case 'block':
			return node.body.map((one) => statement(one, depth)).join('');
		case 'if': {
			const otherwise = node.no === null ? '' : ` else ${branch(node.no, depth)}`;
			return `${start}if (${written(node.test)}) ${body(node.yes, depth)}${otherwise}\n`;
		}
		case 'while':
			return `${start}while (${written(node.test)}) ${body(node.body, depth)}\n`;
		case 'do':
			return `${start}do ${body(node.body, depth)} while (${written(node.test)})\n`;
		case 'for':
			return `${start}${loopHead(node)} ${body(node.body, depth)}\n`;
		case 'each':
			return `${start}for (${node.variable} in ${written(node.array)}) ${body(node.body, depth)}\n`;
		case 'switch':
			return `${start}switch (${written(node.value)}) {\n${cases(node, depth)}${start}}\n`;
		default:
			return `${start}${simple(node)}\n`;
	}
}

/** Formats the branch after `else`: another `if` stays on the same line. */
const branch = (node: Statement, depth: number): string =>
	node.type === 'if' ? statement(node, depth).trim() : body(node, depth);

function loopHead({ start, test, step }: StatementOf<'for'>): string {
	if (!start && !test && !step) return 'for (;;)';
	const one = (node: Statement | null) => (node ? simple(node) : '');
	return `for (${one(start)}; ${test ? written(test) : ''}; ${one(step)})`;
}

const cases = (node: StatementOf<'switch'>, depth: number): string =>
	node.cases
		.map(({ value, body: actions }) => {
			const label = value ? `case ${written(value)}:` : 'default:';
			return `${margin(depth)}${label}\n${actions.map((one) => statement(one, depth + 1)).join('')}`;
		})
		.join('');

function simple(node: Statement): string {
	switch (node.type) {
		case 'expression':
			return written(node.expression);
		case 'print':
			return printed(node);
		case 'delete':
			return `delete ${written(node.array)}${node.subscript ? `[${list(node.subscript)}]` : ''}`;
		case 'exit':
		case 'return':
			return node.value ? `${node.type} ${written(node.value)}` : node.type;
		default:
			return node.type;
	}
}

/**
 * Formats a `print`. With a redirection, the arguments are put in parentheses, so that a `>` after them is not a
 * comparison.
 */
function printed({ format, args, redirect }: StatementOf<'print'>): string {
	const word = format ? 'printf' : 'print';
	if (!redirect) return args.length ? `${word} ${list(args)}` : word;
	const values = args.length ? (format || args.length > 1 ? `(${list(args)})` : ` ${list(args)}`) : '';
	return `${word}${values} ${redirect.kind} ${written(redirect.to)}`;
}

const list = (nodes: readonly Expression[]): string => nodes.map((node) => written(node)).join(', ');

function written(node: Expression): string {
	switch (node.type) {
		case 'number':
			return String(node.value);
		case 'string':
			return `"${quoted(node.value)}"`;
		case 'regexp':
			return `${node.isValue ? '@' : ''}/${node.source.replaceAll('/', '\\/')}/`;
		case 'variable':
			return node.name;
		case 'element':
			return `${written(node.array)}[${list(node.subscript)}]`;
		case 'field':
			return `$${written(node.index)}`;
		case 'assign':
			return `${written(node.target)} ${node.operator} ${written(node.value)}`;
		case 'step': {
			const sign = node.by === 1 ? '++' : '--';
			return node.before ? sign + written(node.target) : written(node.target) + sign;
		}
		case 'unary':
			return `${node.operator === '!' ? '! ' : node.operator}${written(node.operand)}`;
		case 'binary':
			return `${written(node.left)} ${node.operator} ${written(node.right)}`;
		case 'concat':
			return `${written(node.left)} ${written(node.right)}`;
		case 'and':
		case 'or':
			return `${written(node.left)} ${node.type === 'and' ? '&&' : '||'} ${written(node.right)}`;
		case 'match':
			return `${written(node.left)} ${node.negated ? '!~' : '~'} ${written(node.right)}`;
		case 'in':
			return `${node.subscript.length > 1 ? `(${list(node.subscript)})` : list(node.subscript)} in ${written(node.array)}`;
		case 'conditional':
			return `${written(node.test)} ? ${written(node.yes)} : ${written(node.no)}`;
		case 'call':
			return `${node.indirect ? '@' : ''}${node.name}(${list(node.args)})`;
		case 'builtin':
			return `${node.name}(${list(node.args)})`;
		case 'getline':
			return getline(node);
		case 'group':
			return `(${list(node.items)})`;
	}
}

function getline({ from, source, target }: Extract<Expression, { type: 'getline' }>): string {
	const read = target ? `getline ${written(target)}` : 'getline';
	if (!source) return read;
	if (from === 'file') return `${read} < ${written(source)}`;
	return `${written(source)} ${from === 'command' ? '|' : '|&'} ${read}`;
}

const ESCAPED: Record<string, string> = {
	...{
		'\n': '\\n',
		'\t': '\\t',
		'\r': '\\r',
		'\f': '\\f',
		'\b': '\\b',
		'\v': '\\v',
		'\x07': '\\a',
		'"': '\\"',
		'\\': '\\\\'
	}
};

const quoted = (text: string): string => text.replace(/[\n\t\r\f\b\v\x07"\\]/g, (char) => ESCAPED[char] ?? char);
