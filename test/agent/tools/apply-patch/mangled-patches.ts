import fc from '#test/fast-check.ts';
import type { Tree } from './trees.ts';

/** A tree and a patch for it, as models write them: most apply, many are slightly off, some are broken. */
export interface MangledPatch {
	before: Tree;
	patch: string;
}

const line = fc.constantFrom(
	'{',
	'}',
	'',
	'  x',
	'x  ',
	'\tx',
	'return 1;',
	'f(a)',
	'class A {',
	'say “hi” – now',
	'say "hi" - now',
	'*** Update File: a',
	'*** End of File',
	'@@ at',
	'+plus',
	'-minus'
);
const paths = fc.oneof(
	{ weight: 24, arbitrary: fc.constant('a') },
	{ weight: 12, arbitrary: fc.constant('b.txt') },
	{ weight: 1, arbitrary: fc.constant('none') }
);
const numbered = fc.nat(99).map((number) => `line ${number}`);
const file = fc.record({
	lines: fc.array(fc.oneof(line, numbered), { maxLength: 12, size: 'max' }),
	isEnded: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) })
});

/** One hunk: its position in the file, the lines to remove and add, and the form of its header. */
const hunk = fc.record({
	at: fc.nat(12),
	before: fc.nat(2),
	remove: fc.nat(2),
	put: fc.array(line, { maxLength: 2 }),
	after: fc.nat(2),
	header: fc.oneof(
		{ weight: 12, arbitrary: fc.constant('bare' as const) },
		{ weight: 2, arbitrary: fc.constantFrom('none' as const, 'own' as const, 'above' as const, 'wrong' as const) }
	),
	isLast: fc.oneof({ weight: 15, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
});
const sorted = fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) });
const moves = fc.oneof(
	{ weight: 60, arbitrary: fc.constant(undefined) },
	{ weight: 12, arbitrary: fc.constant('moved/x') },
	{ weight: 1, arbitrary: fc.constantFrom('a', 'b.txt') }
);
const section = fc.oneof(
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), path: paths }) },
	{
		weight: 2,
		arbitrary: fc.record({
			kind: fc.constant('add' as const),
			path: fc.constantFrom('a', 'new', 'new/deep'),
			lines: fc.array(line, { maxLength: 4 })
		})
	},
	{
		weight: 20,
		arbitrary: fc.record({
			kind: fc.constant('update' as const),
			path: paths,
			moveTo: moves,
			hunks: fc.oneof(
				{ weight: 30, arbitrary: fc.array(hunk, { minLength: 1, maxLength: 3, size: 'max' }) },
				{ weight: 1, arbitrary: fc.constant([]) }
			),
			sorted
		})
	}
);

/** Mistakes of a model when it writes a patch. */
const slip = fc.record({
	kind: fc.constantFrom('drop', 'double', 'unspace', 'indent', 'trail', 'empty', 'straight', 'swap'),
	at: fc.nat(40)
});

export const mangledPatch: fc.Arbitrary<MangledPatch> = fc
	.record({
		files: fc.record({ a: file, 'b.txt': file }),
		sections: fc.array(section, { minLength: 1, maxLength: 2, size: 'max' }),
		slips: fc.oneof(
			{ weight: 3, arbitrary: fc.constant([]) },
			{ weight: 1, arbitrary: fc.array(slip, { maxLength: 2 }) }
		)
	})
	.map(({ files, sections, slips }) => {
		const before = new Map<string, string>();
		for (const [path, { lines, isEnded }] of Object.entries(files))
			before.set(path, lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : ''));
		const body = sections.flatMap((each) => {
			if (each.kind === 'delete') return [`*** Delete File: ${each.path}`];
			if (each.kind === 'add') return [`*** Add File: ${each.path}`, ...each.lines.map((one) => `+${one}`)];
			const lines = (files as Record<string, { lines: string[] }>)[each.path]?.lines ?? [];
			const hunks: readonly Hunk[] = each.sorted ? apart(each.hunks, lines.length) : each.hunks;
			return [
				`*** Update File: ${each.path}`,
				...(each.moveTo === undefined ? [] : [`*** Move to: ${each.moveTo}`]),
				...hunks.flatMap((one) => hunkLines(lines, one))
			];
		});
		let text = ['*** Begin Patch', ...body, '*** End Patch'];
		for (const each of slips) text = slipped(text, each);
		return { before, patch: text.join('\n') };
	});

type Hunk = typeof hunk extends fc.Arbitrary<infer One> ? One : never;

/** Hunks within a file of the given length that do not overlap, in the order of the file. */
function apart(hunks: readonly Hunk[], length: number): Hunk[] {
	let end = 0;
	return [...hunks]
		.sort((a, b) => a.at - b.at)
		.filter(({ at, before, remove, put, after }) => {
			const place = Math.min(at, length);
			const isApart = place - before >= end && (put.length > 0 || place < length);
			if (isApart) end = place + remove + after;
			return isApart;
		});
}

function hunkLines(lines: readonly string[], one: Hunk): string[] {
	const at = Math.min(one.at, lines.length);
	const from = Math.max(0, at - one.before);
	const above = lines[from - 1];
	const own = lines[from];
	const header =
		one.header === 'none'
			? []
			: one.header === 'own' && own !== undefined
				? [`@@ ${own}`]
				: one.header === 'above' && above !== undefined
					? [`@@ ${above}`]
					: one.header === 'wrong'
						? ['@@ nowhere']
						: ['@@'];
	return [
		...header,
		...lines.slice(from, at).map((text) => ` ${text}`),
		...lines.slice(at, at + one.remove).map((text) => `-${text}`),
		...one.put.map((text) => `+${text}`),
		...lines.slice(at + one.remove, at + one.remove + one.after).map((text) => ` ${text}`),
		...(one.isLast ? ['*** End of File'] : [])
	];
}

function slipped(text: readonly string[], { kind, at }: { kind: string; at: number }): string[] {
	const index = at % text.length;
	const one = text[index] ?? '';
	const put = (...lines: string[]): string[] => [...text.slice(0, index), ...lines, ...text.slice(index + 1)];
	switch (kind) {
		case 'drop':
			return put();
		case 'double':
			return put(one, one);
		case 'unspace':
			return put(one.startsWith(' ') ? one.slice(1) : one);
		case 'indent':
			return put(` ${one}`);
		case 'trail':
			return put(`${one} `);
		case 'empty':
			return put(one, '');
		case 'straight':
			return put(one.replace(/[“”]/g, '"').replace(/–/g, '-'));
		default:
			return put(text[index + 1] ?? '', one);
	}
}
