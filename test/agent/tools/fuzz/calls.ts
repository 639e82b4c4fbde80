import fc from '#test/fast-check.ts';

/** Values a model may use as a path, a pattern, a patch or any other argument. */
const path = fc.oneof(
	{ weight: 9, arbitrary: fc.constantFrom('a.txt', '.', 'new.txt') },
	fc.constantFrom(
		'a.txt',
		'src/b.ts',
		'.',
		'..',
		'',
		'/',
		'~',
		'~/x',
		'../../etc/passwd',
		'/etc/passwd',
		'/etc/sandglass-fuzz',
		'src/../../../x'
	),
	fc.constantFrom(
		'out',
		'out/passwd',
		'a\0b',
		'x'.repeat(5_000),
		'src/./b.ts/',
		'a.txt/below',
		'@a.txt',
		'-rf',
		'*',
		'a\nb',
		'\u202e',
		'..\\..\\x'
	),
	fc.string({ maxLength: 40 }),
	fc.string({ unit: 'grapheme', maxLength: 20 }),
	fc.array(fc.constantFrom('..', '.', 'src', 'a', 'out', '~', ''), { maxLength: 8 }).map((parts) => parts.join('/'))
);

const pattern = fc.oneof(
	fc.constantFrom(
		'(a+)+$',
		'(a|a)*b',
		'(.*)*x',
		'([a-z]+)*!',
		'^(([a-z])+.)+[A-Z]([a-z])+$',
		'(?:',
		'[',
		'\\',
		'a{1,99999}',
		'(?<=a)b',
		'\\p{L}+'
	),
	fc.string({ unit: fc.constantFrom(...'ab.*+?()[]{}|^$\\-,19 '), maxLength: 30 })
);

const glob = fc.oneof(
	fc.constantFrom(
		'**/*',
		'*a*a*a*a*a*a*a*a*a*b',
		'+(a|b)*(c)',
		'{a,b}{c,d}{e,f}',
		'{{{{',
		'[!',
		'**/**/**/**/x',
		'!(*)',
		'../**',
		'/etc/*',
		'{1..99999}'
	),
	fc.string({ unit: fc.constantFrom(...'ab*?[]{}!(),./\\@+'), maxLength: 30 })
);

const patchLine = fc.oneof(
	fc.constantFrom(
		'*** Begin Patch',
		'*** End Patch',
		'@@',
		'@@ one',
		'*** End of File',
		' one',
		'-one',
		'+two',
		'',
		'*** Update File: a.txt',
		'*** Delete File: a.txt'
	),
	path.map((name) => `*** Add File: ${name}`),
	path.map((name) => `*** Update File: ${name}`),
	path.map((name) => `*** Move to: ${name}`),
	fc.string({ maxLength: 20 })
);
/** Hunks with valid syntax, whether or not they match the file. */
const hunk = fc
	.array(fc.constantFrom(' one', ' two', '-one', '-two', '+two', '+', ' '), { minLength: 1, maxLength: 4 })
	.map((lines) => ['@@', ...lines]);
const section = fc.oneof(
	fc.tuple(path, hunk).map(([name, lines]) => [`*** Update File: ${name}`, ...lines]),
	fc.tuple(path, path, hunk).map(([from, to, lines]) => [`*** Update File: ${from}`, `*** Move to: ${to}`, ...lines]),
	fc.tuple(path, fc.string({ maxLength: 20 })).map(([name, line]) => [`*** Add File: ${name}`, `+${line}`]),
	path.map((name) => [`*** Delete File: ${name}`])
);
const patch = fc
	.oneof(
		fc.array(patchLine, { maxLength: 12 }),
		fc.array(section, { maxLength: 3 }).map((parts) => parts.flat())
	)
	.map((lines) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'));

const text = fc.oneof(
	fc.string({ maxLength: 60 }),
	fc.constantFrom('one', 'one\n', '\ufeff', '\r\n', '\ud800', 'two\n'.repeat(200))
);
const number = fc.oneof(
	{ weight: 12, arbitrary: fc.integer({ min: 1, max: 50 }) },
	fc.integer({ min: -5, max: 50 }),
	fc.constantFrom(0, -1, 1e308, NaN, Infinity, 2 ** 53)
);
const junk = fc.jsonValue({ maxDepth: 3 });

const call = (name: string, shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<ToolCall> =>
	fc
		.oneof({ weight: 3, arbitrary: fc.record(shape) }, { weight: 1, arbitrary: fc.record(shape, { requiredKeys: [] }) })
		.map((args) => ({ name, args }));

export interface ToolCall {
	name: string;
	args: Record<string, unknown>;
}

const edits = fc.array(fc.record({ oldText: text, newText: text }), { maxLength: 3 });
/** Searches start a program: there are fewer of them, so that there are more other calls. */
const search = fc.oneof(
	call('grep', {
		pattern,
		path,
		glob,
		ignoreCase: fc.boolean(),
		literal: fc.boolean(),
		context: number,
		limit: number
	}),
	call('grep_neutral', {
		pattern,
		path,
		glob_filter: glob,
		type: fc.string({ maxLength: 4 }),
		before: number,
		multiline: fc.boolean()
	})
);
const cheap = fc.oneof(
	call('read', { path, offset: number, limit: number }),
	call('write', { path, content: text }),
	call('edit', { path, edits, oldText: text, newText: text }),
	call('edit_file', { file_path: path, old_string: text, new_string: text, replace_all: fc.boolean() }),
	call('apply_patch', { patch }),
	call('find', { pattern: glob, path, limit: number }),
	call('glob', { pattern: glob, path }),
	call('ls', { path, limit: number }),
	call('list_directory', { path, depth: number }),
	call('read_many_files', { paths: fc.array(path, { maxLength: 4 }) }),
	call('todo', { todos: junk })
);
const shaped = (searches: number): fc.Arbitrary<ToolCall> =>
	fc.oneof({ weight: 100, arbitrary: cheap }, { weight: searches, arbitrary: search });

const names = fc.constantFrom(
	'read',
	'write',
	'edit',
	'apply_patch',
	'grep',
	'find',
	'ls',
	'shell_input',
	'todo',
	'no_such_tool',
	'__proto__',
	'constructor'
);

/**
 * A call with arguments of the right shape and wild values, or of any shape.
 *
 * @param searches number of searches per 100 other calls of the right shape
 */
export const wildCall = (searches: number): fc.Arbitrary<ToolCall> =>
	fc.oneof(
		{ weight: 5, arbitrary: shaped(searches) },
		{ weight: 1, arbitrary: fc.record({ name: names, args: fc.dictionary(fc.string({ maxLength: 12 }), junk) }) },
		{
			weight: 1,
			arbitrary: fc
				.tuple(shaped(searches), junk)
				.map(([{ name, args }, value]) => ({ name, args: { ...args, path: value } }))
		}
	);
