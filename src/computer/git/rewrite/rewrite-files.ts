import { binaryBytes, binaryText } from '../diff/lines.ts';
import { encode } from '../bytes.ts';
import { GitError } from '../errors.ts';
import { missingAsNull } from '../objects/store.ts';
import { findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { quoteWord } from '../shell-words.ts';

/** Commit to rewrite, with its parents among the listed commits. */
export interface Listed {
	id: string;
	parents: readonly string[];
}

/** Temporary files through which the script of a rewrite gets its input and returns its results. */
export class RewriteFiles {
	constructor(
		private readonly repository: Repository,
		/** Absolute path. */
		readonly directory: string
	) {}

	/** Working directory of the filters. */
	get tree(): string {
		return `${this.directory}/t`;
	}

	create(): void {
		const { files } = this.repository;
		for (const name of ['t', 'map', 'given']) files.mkdir(`${this.directory}/${name}`, { recursive: true });
	}

	remove(): void {
		this.repository.files.remove(this.directory, { recursive: true, force: true });
	}

	/** Writes one line per item. */
	list(name: string, lines: readonly string[]): void {
		this.#write(name, encode(lines.map((line) => `${line}\n`).join('')));
	}

	/** Lines of a file; none if it does not exist. */
	lines(name: string): string[] {
		const bytes = missingAsNull(() => this.repository.files.readFile(`${this.directory}/${name}`));
		return bytes === null ? [] : binaryText(bytes).split('\n').filter(Boolean);
	}

	/** Maps a commit in advance. */
	map(id: string, to: string): void {
		this.#write(`map/${id}`, encode(`${to}\n`));
	}

	/** Commits that replace a commit: itself if it was not rewritten, none if it was removed. */
	mapped(id: string): string[] {
		return this.isMapped(id) ? this.lines(`map/${id}`) : [id];
	}

	isMapped(id: string): boolean {
		return this.has(`map/${id}`);
	}

	has(name: string): boolean {
		return this.repository.files.statOrNull(`${this.directory}/${name}`) !== null;
	}

	/** All mapped commits, sorted, with the first commit that replaces each. */
	wholeMap(): { from: string; to: string }[] {
		const names = this.repository.files.readdir(`${this.directory}/map`).map(({ name }) => name);
		return names.sort().map((from) => ({ from, to: this.mapped(from)[0] ?? '' }));
	}

	/** Writes identity, parents, tree and message of a commit for the script. */
	give({ id, parents }: Listed, subdirectory: string | null): void {
		const { repository } = this;
		const content = binaryText(repository.objects.read(id, 'commit'));
		const end = content.indexOf('\n\n');
		const header = end < 0 ? content : content.slice(0, end);
		const tree = subdirectory === null ? `${id}^{tree}` : subtree(repository, id, subdirectory);
		const assignments = [
			...[...identityOf(header, 'author'), ...identityOf(header, 'committer'), ['GIT_COMMIT', id]].map(
				([name = '', value = '']) => `${name}=${quoteWord(value)}\nexport ${name}\n`
			),
			`parents=${quoteWord(parents.join(' '))}\n`,
			`tree=${findRevision(repository, tree) ?? tree}\n`
		];
		this.#write(`given/${id}`, binaryBytes(assignments.join('')));
		this.#write(`given/${id}.message`, binaryBytes(end < 0 ? '' : content.slice(end + 2)));
	}

	#write(name: string, bytes: Uint8Array): void {
		this.repository.files.writeFile(`${this.directory}/${name}`, bytes);
	}
}

/** Tree of a directory in a commit; an empty one if the commit lacks it. @throws GitError if it is a file */
function subtree(repository: Repository, id: string, directory: string): string {
	const found = findRevision(repository, `${id}:${directory}`);
	if (found === null) return repository.objects.write('tree', new Uint8Array(0));
	if (repository.objects.find(found)?.type !== 'tree') throw new GitError('\nCould not initialize the index', 1);
	return found;
}

/** Environment variables for the author or committer in the header of a commit. */
function identityOf(header: string, role: 'author' | 'committer'): [name: string, value: string][] {
	const [, name = '', email = '', date = ''] = new RegExp(`^${role} (.*?) ?<([^>]*)> ?(.*)$`, 'm').exec(header) ?? [];
	const prefix = `GIT_${role.toUpperCase()}`;
	return [
		[`${prefix}_NAME`, name === '' ? email.replace(/@.*$/s, '') : name],
		[`${prefix}_EMAIL`, email],
		[`${prefix}_DATE`, date === '' ? '' : `@${date}`]
	];
}
