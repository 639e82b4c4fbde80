import { expect, it } from 'vitest';
import fc from '#test/fast-check.ts';
import type { FunctionDefinition } from '#computer/shell/ast/nodes.ts';
import { printFunction } from '#computer/shell/ast/print.ts';
import { ShellSyntaxError } from '#computer/shell/parser/error.ts';
import { parse, ScriptReader } from '#computer/shell/parser/parse.ts';

const words = fc.oneof(
	fc.constantFrom('a', 'b-c', "'q $x'", '"d $y ${z:-w}"', '$x', '${a[1]}', '${#x}', '${x//a/b}', '$((1 + x))'),
	fc.constantFrom('$(ls | wc)', '`date`', '~/x', '{a,b}', '*.txt', '\\$', "$'t\\tx'", '<(sort f)', '${x:1:2}')
);
const redirections = fc.constantFrom('', ' > f', ' 2>&1', ' < in', ' >> log', ' <<< "$x"', ' &> all');
const simple = fc
	.tuple(
		fc.constantFrom('echo', 'ls', 'x=1 run', 'a=(1 [3]=x)', 'declare -a b=(p q)'),
		fc.array(words, { maxLength: 3 }),
		redirections
	)
	.map(([name, args, redirection]) =>
		name.endsWith(')')
			? `${name}${name.startsWith('a') ? '' : redirection}`
			: `${[name, ...args].join(' ')}${redirection}`
	);

const { command } = fc.letrec<{ command: string; list: string }>((tie) => ({
	command: fc.oneof(
		{ maxDepth: 3, withCrossShrink: true },
		simple,
		tie('list').map((list) => `{ ${list}; }`),
		tie('list').map((list) => `( ${list} )`),
		fc.tuple(tie('list'), tie('list')).map(([a, b]) => `if ${a}; then ${b}; else ${a}; fi`),
		fc.tuple(tie('list'), tie('list')).map(([a, b]) => `while ${a}; do ${b}; done`),
		fc.tuple(words, tie('list')).map(([word, list]) => `for i in ${word} x; do ${list}; done`),
		fc.tuple(words, tie('list')).map(([word, list]) => `case ${word} in a | b) ${list} ;; *) ${list} ;& esac`),
		fc.constantFrom('[[ -n $x && ! ( a == b* ) ]]', '(( x + 1 ))', '[[ $x =~ ^(a|b)$ ]]', 'f() { ls; }')
	),
	list: fc
		.array(fc.tuple(tie('command'), fc.constantFrom('; ', ' && ', ' || ', ' | ')), { minLength: 1, maxLength: 3 })
		.map((items) => items.map(([one, join], index) => (index === items.length - 1 ? one : one + join)).join(''))
}));

/** The tree without its positions. */
const shape = (tree: unknown): unknown =>
	JSON.parse(
		JSON.stringify(tree, (key, value: unknown) =>
			['line', 'lastLine', 'sourceText'].includes(key) ? undefined : value
		)
	);

function definitionIn(source: string): FunctionDefinition {
	const found = parse(source).statements[0]?.pipelines[0]?.commands[0];
	if (found?.type !== 'FunctionDef') throw new Error(`no function in ${source}`);
	return found;
}

it('reads a function that it has printed as the same one', () => {
	fc.assert(
		fc.property(command, (body) => {
			const first = definitionIn(`f() { ${body}; }`);
			const printed = printFunction(first);
			const second = definitionIn(printed);
			expect(shape(second), printed).toEqual(shape(first));
			expect(printFunction(second)).toBe(printed);
		}),
		{ numRuns: 300 }
	);
});

it('keeps the bodies of here-documents', () => {
	const source = 'f() {\n cat <<EOF | tr a b\n$x $(ls)\nEOF\n cat <<-"E"\n\tone\n\tE\n}';
	const first = definitionIn(source);
	expect(shape(definitionIn(printFunction(first)))).toEqual(shape(first));
	expect(printFunction(first)).toContain('$x $(ls)\nEOF\n');
});

const failure = (source: string): ShellSyntaxError | null => {
	const reader = new ScriptReader(source, { aliases: null, extglob: false });
	try {
		while (reader.next());
		return null;
	} catch (error) {
		if (error instanceof ShellSyntaxError) return error;
		throw error;
	}
};

it('accepts what bash accepts', () => {
	const right = [
		'if a; then b; elif c; then d; fi',
		'case x in (a) ;; esac',
		'for ((;;)); do break; done',
		'select x; do echo; done',
		'coproc NAME { cat; }',
		'function f { :; } > out',
		'! time -p ls',
		'a[1 + 2]=x b+=(1 2)',
		'echo $(case x in y) z;; esac)',
		'$((1 + (2 * 3))) $( (ls) )',
		'cat <<A <<B\n1\nA\n2\nB\n',
		'time'
	];
	for (const source of right) expect(failure(source)?.message, source).toBeUndefined();
});

it('names the line and the token that is wrong', () => {
	const wrong = [
		['echo one\n)', 2, ')'],
		['if true; fi', 1, 'fi'],
		['a | | b', 1, '|'],
		['for x in a b do echo; done', 1, 'done'],
		['echo a=(1)', 1, '('],
		['echo @(a|b)', 1, '('],
		['case x in a b) ;; esac', 1, 'b'],
		['{ }', 1, '}']
	] as const;
	for (const [source, line, token] of wrong) {
		const error = failure(source);
		expect([error?.line, error?.message], source).toEqual([line, `syntax error near unexpected token \`${token}'`]);
	}
});

it('expands aliases while it reads', () => {
	const aliases = new Map([
		['say', 'echo '],
		['loop', 'while true; do'],
		['x', 'y z']
	]);
	const reader = new ScriptReader('say x; loop break; done', { aliases, extglob: false });
	expect(reader.next()?.map(({ sourceText }) => sourceText)).toEqual(['echo  y z', 'while true; do break; done']);
});
