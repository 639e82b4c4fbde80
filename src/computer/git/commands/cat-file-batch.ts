import { concat, encode } from '../bytes.ts';
import { booleanOf } from '../config/values.ts';
import { fatal, GitError } from '../errors.ts';
import { inputLines } from '../input-lines.ts';
import type { Invocation } from '../invocation.ts';
import { findRevision, withObjectsMeant } from '../refs/revision.ts';
import { mappedHeads, worktreeForm, type ContentForm } from './object-content.ts';
import { findLinked } from '../worktree/linked-path.ts';

/** Options of `--batch` and its variants. */
export interface BatchHow {
	/** Output per object: its line (`info`), its line and contents, or as each command says (`commanded`). */
	shows: 'contents' | 'info' | 'commanded';
	format: string | null;
	form: ContentForm;
	/** Shows all objects instead of those named on stdin. */
	isAll: boolean;
	/** Output need not be flushed after each object. */
	isBuffered: boolean;
	/** Follows symbolic links inside the tree. */
	followsLinks: boolean;
	end: '\n' | '\0';
}

const USUAL_FORMAT = '%(objectname) %(objecttype) %(objectsize)';
const FIELD = /%(?:(%)|\(([^)]*)(\)?))/g;

/** Prints objects one after another. Returns the exit code. */
export function batchObjects(git: Invocation, how: BatchHow): number {
	const batch = new ObjectBatch(git, how);
	if (how.isAll) batch.all();
	else if (how.shows === 'commanded') batch.commanded();
	else batch.named();
	return 0;
}

class ObjectBatch {
	readonly #format: string;
	readonly #splits: boolean;
	#contents: boolean;

	constructor(
		private readonly git: Invocation,
		private readonly how: BatchHow
	) {
		this.#format = how.format ?? USUAL_FORMAT;
		this.#contents = how.shows === 'contents';
		this.#splits = this.#format.includes('%(rest)') || how.form === 'filters' || how.form === 'textconv';
		for (const [whole, percent, field = '', end] of this.#format.matchAll(FIELD)) {
			if (percent === undefined && end === '') throw fatal(`format element '${whole.slice(1)}' does not end in ')'`);
			if (percent === undefined && !(field in this.#fields('', undefined)))
				throw fatal(`unknown format element: ${field}`);
		}
	}

	all(): void {
		for (const id of this.git.repository.objects.ids()) this.#show(id, id, undefined);
	}

	named(): void {
		for (const line of inputLines(this.git, this.how.end)) this.#line(this.#withoutReturn(line));
	}

	/** Runs the commands on stdin: `contents`, `info`, and, if output is buffered, `flush`. */
	commanded(): void {
		let waiting: (() => void)[] = [];
		for (const raw of inputLines(this.git, this.how.end)) {
			const line = this.#withoutReturn(raw);
			if (line === '') throw fatal('empty command in input');
			if (/^\s/.test(line)) throw fatal(`whitespace before command: '${line}'`);
			const [, word, rest = ''] = /^(contents|info|flush)(.*)$/s.exec(line) ?? [];
			if (word === undefined) throw fatal(`unknown command: '${line}'`);
			if (word === 'flush') {
				if (rest !== '') throw fatal('flush takes no arguments');
				if (!this.how.isBuffered) throw fatal('flush is only for --buffer mode');
				for (const answer of waiting) answer();
				this.git.flush();
				waiting = [];
				continue;
			}
			if (!rest.startsWith(' ')) throw fatal(`${word} requires arguments`);
			const answer = (): void => {
				this.#contents = word === 'contents';
				this.#one(rest.slice(1), undefined);
			};
			if (this.how.isBuffered) waiting.push(answer);
			else answer();
		}
		// git's own tests disable this to check that nothing was flushed before.
		if (booleanOf(this.git.env['GIT_TEST_CAT_FILE_NO_FLUSH_ON_EXIT'] ?? '') !== true)
			for (const answer of waiting) answer();
	}

	#withoutReturn(line: string): string {
		return this.how.end === '\n' ? line.replace(/\r$/, '') : line;
	}

	#line(line: string): void {
		const [, name = line, rest] = (this.#splits ? /^([^ \t]*)[ \t]+(.*)$/s.exec(line) : null) ?? [];
		this.#one(name, rest);
	}

	#one(name: string, rest: string | undefined): void {
		const { repository } = this.git;
		const linked = this.how.followsLinks ? findLinked(repository, name) : null;
		const id = linked ? (typeof linked === 'string' ? linked : null) : findRevision(repository, name);
		if (linked && typeof linked !== 'string')
			this.#out(`${linked.kind} ${encode(linked.text).length}\n${linked.text}\n`);
		else if (id === null) this.#unknown(name);
		else this.#show(id, name, rest);
		if (!this.how.isBuffered) this.git.flush();
	}

	#show(id: string, name: string, rest: string | undefined): void {
		const { objects } = this.git.repository;
		const found = objects.find(id);
		if (!found) return this.#out(`${name} missing\n`);
		const fields = this.#fields(id, rest);
		const line = this.#format.replace(FIELD, (_, percent?: string, field = '') =>
			percent === undefined ? fields[field]!() : '%'
		);
		this.#out(`${line}\n`);
		if (this.#contents) this.#out(concat([this.#content(id, rest), encode('\n')]));
	}

	/** Reports a name of no object, or of several ones. */
	#unknown(name: string): void {
		const meant = withObjectsMeant(this.git.repository, name, new GitError('', 0)).message;
		if (meant !== '') this.git.err(meant);
		this.#out(`${name} ${meant === '' ? 'missing' : 'ambiguous'}\n`);
	}

	#content(id: string, rest: string | undefined): Uint8Array {
		const { repository } = this.git;
		const { form } = this.how;
		const { type, content } = repository.objects.find(id)!;
		if (form === 'mapped') return mappedHeads(repository, type, content);
		if (form === 'plain' || type !== 'blob') return content;
		if (rest === undefined) throw fatal(`missing path for '${id}'`);
		return worktreeForm(repository, id, rest, form);
	}

	#fields(id: string, rest: string | undefined): Record<string, () => string> {
		const { objects } = this.git.repository;
		return {
			objectname: () => id,
			objecttype: () => objects.find(id)!.type,
			objectsize: () =>
				String(this.how.form === 'mapped' ? this.#content(id, rest).length : objects.find(id)!.content.length),
			'objectsize:disk': () => String(objects.storedSize(id)),
			deltabase: () => objects.deltaBase(id),
			rest: () => rest ?? ''
		};
	}

	#out(text: string | Uint8Array): void {
		this.git.out(text);
	}
}
