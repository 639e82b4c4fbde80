import { binaryBytes, binaryText, nameText } from '../diff/lines.ts';
import { GitError } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { NULL_ID } from '../objects/object.ts';
import { applyChanges } from '../refs/ref-transaction.ts';
import type { Repository } from '../repository.ts';
import type { RewriteOptions } from './filters.ts';
import type { RewriteFiles } from './rewrite-files.ts';

/** Reference of which the history is rewritten. */
export interface Head {
	/** Full name. */
	name: string;
	/** Commit that it points to, even if through a tag object. */
	commit: string;
}

interface Move {
	name: string;
	to: string;
	from: string | null;
}

function move(repository: Repository, { name, to, from }: Move, message: string): void {
	applyChanges(repository, [{ name, to, from, isDirect: false }], { message, createsLog: false });
}

/** Points a reference to its rewritten commit, and keeps the original one in another namespace. */
export function updateHead(git: Invocation, head: Head, files: RewriteFiles, options: RewriteOptions): void {
	const { repository } = git;
	const { name, commit } = head;
	const rewritten = files.mapped(commit);
	if (rewritten.join() === commit) {
		git.err(`WARNING: Ref '${name}' is unchanged\n`);
		return;
	}
	if (rewritten.length === 0) {
		git.out(`Ref '${name}' was deleted\n`);
		move(repository, { name, to: NULL_ID, from: commit }, 'filter-branch: delete');
	} else {
		git.out(`Ref '${name}' was rewritten\n`);
		if (rewritten.length > 1) throw new GitError(`\nCould not rewrite ${name}`, 1);
		const isTag = repository.refs.resolve(name) !== commit;
		if (!isTag) move(repository, { name, to: rewritten[0]!, from: commit }, 'filter-branch: rewrite');
		else if (options.filters.tagName === '')
			git.err(
				'WARNING: You said to rewrite tagged commits, but not the corresponding tag.\n' +
					"WARNING: Perhaps use '--tag-name-filter cat' to rewrite the tag.\n"
			);
	}
	move(repository, { name: `${options.original}${name}`, to: commit, from: null }, 'filter-branch: backup');
}

/** Tags of commits, by their names without `refs/tags/`. */
export function commitTags(repository: Repository): Head[] {
	return repository.refs.list('refs/tags/').flatMap(({ name, id }) => {
		const commit = repository.peeled(id);
		return repository.objects.find(commit)?.type === 'commit'
			? [{ name: name.slice('refs/tags/'.length), commit }]
			: [];
	});
}

/** Creates a tag of the rewritten commit under its new name. */
export function renameTag(git: Invocation, from: string, to: string, files: RewriteFiles): void {
	const { repository } = git;
	const { refs, objects } = repository;
	const id = refs.resolve(`refs/tags/${from}`);
	if (id === null) return;
	const commit = repository.peeled(id);
	const [rewritten = ''] = files.mapped(commit);
	git.out(`${from} -> ${to} (${commit} -> ${rewritten})\n`);
	const target = id === commit ? rewritten : objects.write('tag', retagged(git, id, rewritten, to));
	try {
		move(repository, { name: `refs/tags/${to}`, to: target, from: null }, '');
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		throw new GitError(`${error.message}\n\nCould not write tag ${to}`, 1);
	}
}

/** Content of a tag object with another commit and name, without its signature, which no longer applies. */
function retagged(git: Invocation, id: string, commit: string, name: string): Uint8Array {
	const content = binaryText(git.repository.objects.read(id, 'tag'));
	const end = content.indexOf('\n\n');
	const header = content
		.slice(0, end < 0 ? undefined : end)
		.split('\n')
		.filter((line) => !/^(?:object|type|tag) /.test(line));
	const rest = end < 0 ? '' : content.slice(end + 1);
	const signature = /^-----BEGIN PGP SIGNATURE-----/m.exec(rest);
	if (signature) git.err(`gpg signature stripped from tag object ${id}\n`);
	const text = signature ? rest.slice(0, signature.index) : rest;
	const binaryName = nameText(name);
	const start = [`object ${commit}`, 'type commit', `tag ${binaryName}`, ...header].map((line) => `${line}\n`).join('');
	return binaryBytes(start + text);
}
