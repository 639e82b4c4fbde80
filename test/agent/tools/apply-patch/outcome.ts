import { parsePatch, type PatchOperation } from '#agent/tools/apply-patch/parse.ts';
import { planPatch } from '#agent/tools/apply-patch/plan.ts';
import { ToolError } from '#agent/tools/result.ts';
import type { Tree } from './trees.ts';

/** Resulting tree; `null` if the patch was refused. Files after a refusal are not compared. */
export interface PatchOutcome {
	after: Tree | null;
}

/** Outcome of our tool, without a disk. */
export async function outcomeHere(before: Tree, patch: string): Promise<PatchOutcome> {
	const read = async (path: string): Promise<Uint8Array | null> => {
		const text = before.get(path);
		return text === undefined ? null : new TextEncoder().encode(text);
	};
	const after = new Map(before);
	try {
		const plan = await planPatch(parsePatch(patch), read, { addExisting: 'overwrite', maxFuzz: 3 });
		for (const { path, after: bytes } of plan) {
			if (bytes) after.set(path, new TextDecoder().decode(bytes));
			else after.delete(path);
		}
		return { after };
	} catch (error) {
		if (!(error instanceof ToolError)) throw error;
		return { after: null };
	}
}

/** Intended differences from codex, and how to recognize a patch that causes each. */
const DEPARTURES: [reason: string, applies: (c: Compared) => boolean][] = [
	[
		'a file that is moved onto itself stays; there it is gone',
		({ operations }) => operations.some((one) => one.kind === 'update' && one.moveTo === one.path)
	],
	[
		'a file may be moved without a change',
		({ operations, theirs }) =>
			theirs === null && operations.some((one) => one.kind === 'update' && one.moveTo && one.hunks.length === 0)
	],
	[
		'the last line of a file keeps having no end; there every file ends with one',
		({ ours, theirs }) => ours !== null && theirs !== null && isSame(ended(ours), ended(theirs))
	],
	[
		'lines are added behind the one that the header names; there at the end of the file',
		({ hunks }) => hunks.some((one) => one.context.length > 0 && one.lines.every(({ kind }) => kind === 'add'))
	],
	[
		'a hunk may begin with the line that its header names',
		({ hunks, theirs }) =>
			theirs === null &&
			hunks.some((one) => one.lines.find(({ kind }) => kind !== 'add')?.text.trim() === one.context.at(-1)?.trim())
	],
	[
		'a hunk that says "End of File" and fits only above is applied there',
		({ hunks, theirs }) => theirs === null && hunks.some((one) => one.endOfFile)
	],
	[
		'lines are added behind an empty last line; there before it',
		({ hunks, before }) =>
			hunks.some((one) => one.lines.every(({ kind }) => kind === 'add')) &&
			[...before.values()].some((text) => /(^|\n)\n$/.test(text))
	],
	[
		'a hunk about one empty line needs one; there it fits anywhere',
		({ ours, hunks }) =>
			ours === null &&
			hunks.some((one) => one.lines.filter(({ kind }) => kind !== 'add').every(({ text }) => text.trim() === ''))
	],
	[
		'empty lines between sections are passed over; there they are context or refused',
		({ patch }) => /\n[ \t]*\n[ \t]*(\*\*\*|$)/m.test(patch)
	],
	[
		'markers inside a section may be indented',
		({ theirs, patch }) => theirs === null && /^[ \t]+(\*\*\* Move to: |@@)/m.test(patch)
	],
	[
		'an "End of File" without lines before it is refused',
		({ ours, patch }) => ours === null && /^(\*\*\* (Update|Move)|@@).*\n\*\*\* End of File/m.test(patch)
	],
	[
		'a header of a hunk may stand with others or be left out in the middle',
		({ theirs, patch }) => theirs === null && /^@@ .*\n@@|\*\*\* End of File\n[ +-]/m.test(patch)
	],
	[
		'a file in the place of a folder is refused by the disk, not before',
		({ operations, theirs }) =>
			theirs === null && operations.some((one) => operations.some(({ path }) => path.startsWith(`${one.path}/`)))
	]
];

interface Compared {
	before: Tree;
	patch: string;
	operations: PatchOperation[];
	hunks: Extract<PatchOperation, { kind: 'update' }>['hunks'];
	ours: Tree | null;
	theirs: Tree | null;
}

/** `same`, the reason why the outcomes differ, or `null` if there is none. */
export function departure(before: Tree, patch: string, ours: PatchOutcome, theirs: PatchOutcome): string | null {
	if (ours.after === null ? theirs.after === null : theirs.after !== null && isSame(ours.after, theirs.after))
		return 'same';
	const operations = readable(patch);
	const hunks = operations.flatMap((one) => (one.kind === 'update' ? one.hunks : []));
	const compared = { before, patch, operations, hunks, ours: ours.after, theirs: theirs.after };
	return DEPARTURES.find(([, applies]) => applies(compared))?.[0] ?? null;
}

function readable(patch: string): PatchOperation[] {
	try {
		return parsePatch(patch);
	} catch {
		// Refused by our tool: no reason can be determined from its parts.
		return [];
	}
}

const isSame = (a: Tree, b: Tree): boolean => a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);

const ended = (tree: Tree): Tree =>
	new Map([...tree].map(([path, text]) => [path, text === '' || text.endsWith('\n') ? text : `${text}\n`]));
