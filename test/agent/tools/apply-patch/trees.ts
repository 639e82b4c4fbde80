import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { structuredPatch } from 'diff';
import fc from '#test/fast-check.ts';

/** Files by path. */
export type Tree = ReadonlyMap<string, string>;

/** A tree, the tree it should become, and the corresponding patch. */
export interface TreeChange {
	before: Tree;
	patch: string;
	after: Tree;
}

const path = fc.constantFrom('a', 'b.txt', 'src/c.ts', 'src/deep/d e.md', 'ü/漢.py', '.hidden');
const line = fc.constantFrom(
	'{',
	'}',
	'',
	'  x',
	'\tx',
	'return 1;',
	'+plus',
	'-minus',
	'@@ at',
	'f(a)',
	'*** star',
	'é 🌍'
);
const text = fc.array(line, { minLength: 1, maxLength: 25 });
const ending = fc.constantFrom('\n', '\r\n');

const step = fc.oneof(
	fc.record({ kind: fc.constant('delete' as const) }),
	fc.record({ kind: fc.constant('keep' as const) }),
	fc.record({
		kind: fc.constant('change' as const),
		moveTo: fc.option(fc.constantFrom('moved/x', 'moved/y z'), { nil: undefined }),
		edits: fc.array(fc.record({ at: fc.nat(30), remove: fc.nat(3), put: fc.array(line, { maxLength: 3 }) }), {
			minLength: 1,
			maxLength: 4
		})
	})
);

/** Random trees with a random change to each file, as a careful model would write it in a patch. */
export const treeChange: fc.Arbitrary<TreeChange> = fc
	.record({
		files: fc.dictionary(path, fc.record({ text, ending, step }), { minKeys: 1, noNullPrototype: true }),
		added: fc.option(text, { nil: undefined })
	})
	.map(({ files, added }) => {
		const before = new Map<string, string>();
		const after = new Map<string, string>();
		const sections: string[] = [];
		const whole = (lines: readonly string[], end: string): string => lines.map((each) => each + end).join('');
		for (const [name, { text: old, ending: end, step: what }] of Object.entries(files)) {
			before.set(name, whole(old, end));
			if (what.kind === 'delete') sections.push(`*** Delete File: ${name}`);
			else if (what.kind === 'keep') after.set(name, whole(old, end));
			else {
				const now = [...old];
				for (const { at, remove, put } of what.edits) now.splice(Math.min(at, now.length), remove, ...put);
				const hunks = hunksOf(old, now);
				const target = what.moveTo !== undefined && !after.has(what.moveTo) ? what.moveTo : undefined;
				after.set(target ?? name, whole(now, end));
				if (hunks.length === 0 && target === undefined) continue;
				sections.push(`*** Update File: ${name}`);
				if (target !== undefined) sections.push(`*** Move to: ${target}`);
				sections.push(...hunks);
			}
		}
		if (added) {
			after.set('new/file', whole(added, '\n'));
			sections.push('*** Add File: new/file', ...added.map((each) => `+${each}`));
		}
		return { before, after, patch: ['*** Begin Patch', ...sections, '*** End Patch'].join('\n') };
	})
	.filter(({ patch }) => patch.split('\n').length > 2);

/** Adds context lines to each change until the first matching position is the right one; at most the whole file. */
function hunksOf(old: readonly string[], now: readonly string[]): string[] {
	for (let context = 1; context <= old.length; context++) {
		const patch = structuredPatch('', '', `${old.join('\n')}\n`, `${now.join('\n')}${now.length ? '\n' : ''}`, '', '', {
			context
		});
		let cursor = 0;
		const fits = patch.hunks.every(({ lines, oldStart }) => {
			const wanted = lines.filter((each) => /^[ -]/.test(each)).map((each) => each.slice(1));
			const first = old.findIndex((_, at) => at >= cursor && wanted.every((each, index) => old[at + index] === each));
			cursor = oldStart - 1 + wanted.length;
			return wanted.length > 0 && first === oldStart - 1;
		});
		if (fits) return patch.hunks.flatMap(({ lines }) => ['@@', ...lines]);
	}
	if (old.join('\n') === now.join('\n')) return [];
	return ['@@', ...old.map((each) => `-${each}`), ...now.map((each) => `+${each}`)];
}

/** Writes a tree into a new folder. */
export function writeTree(folder: string, tree: Tree): void {
	mkdirSync(folder, { recursive: true });
	for (const [name, text] of tree) {
		mkdirSync(join(folder, dirname(name)), { recursive: true });
		writeFileSync(join(folder, name), text);
	}
}

/** Reads the files below a folder. */
export function readTree(folder: string): Tree {
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
	return new Map(files.map((file) => [relative(folder, file), readFileSync(file, 'utf8')]));
}
