import { decode } from '../bytes.ts';
import { GitError } from '../errors.ts';
import type { Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import { ignore } from './combine.ts';
import { readNotes, type NotesTree } from './notes-tree.ts';
import { fullNotesRef, matchingRefs, notesRef, refsOfList, USUAL_NOTES } from './notes-refs.ts';

/** Options for the notes shown with commits. */
export const NOTES_OPTIONS = {
	notes: '--notes ?',
	showNotes: '--show-notes ?',
	noNotes: '--no-notes',
	standardNotes: '--standard-notes',
	noStandardNotes: '--no-standard-notes'
};

type NotesOptions = Options<keyof typeof NOTES_OPTIONS>;

/** Notes that are shown with commits. */
export class ShownNotes {
	readonly #trees: NotesTree[];

	constructor(
		private readonly repository: Repository,
		refs: readonly string[]
	) {
		this.#trees = [...new Set(refs)].map((ref) => readNotes(repository, ref, ignore));
	}

	/** Notes on a commit with headings, each preceded by a newline, without a trailing one. */
	text(id: string): string {
		return this.#found(id)
			.map(({ ref, lines }) => {
				const name = ref === USUAL_NOTES ? '' : ` (${ref.replace(/^refs\//, '').replace(/^notes\//, '')})`;
				return `\nNotes${name}:${lines.map((line) => `\n    ${line}`).join('')}`;
			})
			.join('\n');
	}

	/** Notes on a commit without headings. */
	plain(id: string): string {
		return this.#found(id)
			.flatMap(({ lines }) => lines.map((line) => `${line}\n`))
			.join('');
	}

	#found(id: string): { ref: string; lines: string[] }[] {
		return this.#trees.flatMap((tree) => {
			const note = tree.get(id);
			const object = note === undefined ? null : this.repository.objects.find(note);
			if (object?.type !== 'blob') return [];
			const text = decode(object.content).replace(/\n$/, '');
			return [{ ref: tree.ref, lines: text === '' ? [] : text.split('\n') }];
		});
	}
}

/**
 * Notes selected by the options, or the default ones; null for none.
 *
 * @param isUsual shows the default notes unless an option says otherwise
 */
export function shownNotes(repository: Repository, options: NotesOptions, isUsual: boolean): ShownNotes | null {
	let isShown = isUsual;
	let usual: boolean | null = null;
	let more: string[] = [];
	const names = ['notes', 'showNotes', 'noNotes', 'standardNotes', 'noStandardNotes'] as const;
	for (const { name, value } of options.inOrder(...names)) {
		isShown = name !== 'noNotes' && (isShown || name !== 'noStandardNotes');
		if (name === 'noNotes') [usual, more] = [null, []];
		else if (name === 'standardNotes') usual = true;
		else if (name === 'noStandardNotes') usual = false;
		else if (value === '') usual = true;
		else {
			if (name === 'showNotes') usual ??= true;
			more.push(fullNotesRef(value));
		}
	}
	if (!isShown) return null;
	const takesUsual = usual ?? more.length === 0;
	return new ShownNotes(repository, [
		...(takesUsual ? usualRefs(repository) : []),
		...more.flatMap((ref) => matchingRefs(repository, ref))
	]);
}

/** Ref that notes are written to, and those added by settings. */
function usualRefs(repository: Repository): string[] {
	const listed = repository.env['GIT_NOTES_DISPLAY_REF'];
	if (listed === undefined && repository.config.all().some(({ key, isBare }) => key === 'notes.displayref' && isBare))
		throw new GitError(
			"error: missing value for 'notes.displayref'\nfatal: bad config variable 'notes.displayref'",
			128
		);
	const added =
		listed === undefined
			? repository.config.values('notes.displayref').flatMap((pattern) => matchingRefs(repository, pattern))
			: refsOfList(repository, listed);
	return [notesRef(repository), ...added];
}
