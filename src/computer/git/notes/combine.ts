import { binaryBytes, binaryText } from '../diff/lines.ts';
import { concat, encode } from '../bytes.ts';
import type { ObjectStore } from '../objects/store.ts';

/** Combines a note with an existing one; returns the id of the result. */
export type Combine = (objects: ObjectStore, old: string, added: string) => string;

const COMBINATIONS = {
	overwrite: (_: ObjectStore, __: string, added: string) => added,
	ignore: (_: ObjectStore, old: string) => old,
	concatenate: (objects: ObjectStore, old: string, added: string) => {
		const [before, after] = [noteContent(objects, old), noteContent(objects, added)];
		if (!after) return old;
		if (!before) return added;
		const text = before.at(-1) === 0x0a ? before.subarray(0, -1) : before;
		return objects.write('blob', concat([text, encode('\n\n'), after]));
	},
	cat_sort_uniq: (objects: ObjectStore, old: string, added: string) => {
		const texts = [old, added].map((id) => binaryText(noteContent(objects, id) ?? new Uint8Array()));
		const lines = new Set(texts.flatMap((text) => text.split('\n')).filter((line) => line !== ''));
		return objects.write(
			'blob',
			binaryBytes(
				[...lines]
					.sort()
					.map((line) => `${line}\n`)
					.join('')
			)
		);
	}
} satisfies Record<string, Combine>;

export const { overwrite, ignore, concatenate, cat_sort_uniq: sortedLines } = COMBINATIONS;

/** Combination by its name in settings; null for an unknown name. */
export function combineNamed(name: string): Combine | null {
	const key = name.toLowerCase();
	return Object.entries<Combine>(COMBINATIONS).find(([known]) => known === key)?.[1] ?? null;
}

/** Content of a note; null if it is empty or no blob. */
export function noteContent(objects: ObjectStore, id: string): Uint8Array | null {
	const found = objects.find(id);
	return found?.type === 'blob' && found.content.length > 0 ? found.content : null;
}
