import { STAGING } from '../choosing/choice-mode.ts';
import { chooseHunks } from '../choosing/choose-hunks.ts';
import { Dialogue } from '../choosing/dialogue.ts';
import { chooseItems, type MenuItem } from '../choosing/menu.ts';
import { pathOf, type Change } from '../diff/change.ts';
import { NO_DIFF } from '../diff/format.ts';
import { binaryBytes } from '../diff/lines.ts';
import { countChange, printChanges } from '../diff/print.ts';
import { headTree, indexToWorktree, treeToIndex } from '../diff/sides.ts';
import { newEntry } from '../index/index-file.ts';
import type { Invocation } from '../invocation.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { computeStatus } from '../worktree/status.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { stageFile } from '../worktree/staging.ts';
import { headFiles, stageNamed } from './commit-content.ts';

/** A changed file with its numbers of added and deleted lines. */
interface ChangedFile {
	path: string;
	staged: Change | undefined;
	unstaged: Change | undefined;
}

const COMMANDS = ['status', 'update', 'revert', 'add untracked', 'patch', 'diff', 'quit', 'help'] as const;

const HELP = [
	'status        - show paths with changes',
	'update        - add working tree state to the staged set of changes',
	'revert        - revert staged set of changes back to the HEAD version',
	'patch         - pick hunks and update selectively',
	'diff          - view diff between HEAD and index',
	'add untracked - add contents of untracked files to the staged set of changes'
];

/** Lets the user stage and unstage files from a menu. Returns the exit code. */
export function addInteractively(git: Invocation, pathspec: Pathspec): number {
	const menu = new StagingMenu(git, pathspec);
	menu.run();
	return 0;
}

class StagingMenu {
	readonly #dialogue: Dialogue;

	constructor(
		private readonly git: Invocation,
		private readonly pathspec: Pathspec
	) {
		this.#dialogue = new Dialogue(git);
	}

	run(): void {
		const { git } = this;
		this.#status();
		const items = COMMANDS.map((name): MenuItem => ({ name }));
		for (;;) {
			const look = { header: '*** Commands ***', prompt: 'What now', columns: 4, isSingle: true };
			const chosen = chooseItems(git, this.#dialogue, items, look);
			const command = chosen === null ? 'quit' : COMMANDS[chosen[0] ?? -1];
			if (command === 'quit') break;
			if (command === 'status') this.#status();
			else if (command === 'help') for (const line of HELP) git.out(`${this.#dialogue.paint('help', line)}\n`);
			else if (command === 'update') this.#update();
			else if (command === 'revert') this.#revert();
			else if (command === 'add untracked') this.#addUntracked();
			else if (command === 'patch') this.#patch();
			else if (command === 'diff') this.#diff();
		}
		git.out('Bye.\n');
	}

	#files(): ChangedFile[] {
		const { repository } = this.git;
		const byPath = (changes: readonly Change[]) =>
			new Map(changes.filter(({ status }) => status !== 'U').map((change) => [pathOf(change), change]));
		const staged = byPath(treeToIndex(repository, headTree(repository)));
		const unstaged = byPath(indexToWorktree(repository));
		return [...new Set([...staged.keys(), ...unstaged.keys()])]
			.filter((path) => this.pathspec.matches(path))
			.sort()
			.map((path) => ({ path, staged: staged.get(path), unstaged: unstaged.get(path) }));
	}

	#items(files: readonly ChangedFile[]): MenuItem[] {
		return files.map(({ path, staged, unstaged }) => ({
			name: path,
			before: columnsText(this.#counts(staged) ?? 'unchanged', this.#counts(unstaged) ?? 'nothing', '')
		}));
	}

	#counts(change: Change | undefined): string | null {
		if (!change) return null;
		const { counts } = countChange(this.git.repository, change);
		return counts ? `+${counts.added}/-${counts.removed}` : 'binary';
	}

	#status(): void {
		const { git } = this;
		const items = this.#items(this.#files());
		if (items.length > 0) git.out(`${this.#dialogue.paint('header', HEADER)}\n`);
		for (const [at, { before, name }] of items.entries())
			git.out(` ${String(at + 1).padStart(2)}: ${before ?? ''}${name}\n`);
		git.out('\n');
	}

	/** Asks the user to select some of the files. */
	#choose(files: readonly ChangedFile[], prompt: string): ChangedFile[] {
		const look = { header: HEADER, prompt };
		const chosen = chooseItems(this.git, this.#dialogue, this.#items(files), look) ?? [];
		return chosen.map((at) => files[at]!);
	}

	#done(word: string, count: number): void {
		this.git.repository.index.save();
		this.git.out(`${word} ${count} path${count === 1 ? '' : 's'}\n\n`);
	}

	#update(): void {
		const { git } = this;
		const files = this.#files().filter(({ unstaged }) => unstaged);
		if (files.length === 0) return git.out('\n');
		const chosen = this.#choose(files, 'Update');
		if (chosen.length === 0) return git.out('\n');
		const literal = chosen.map(({ path }) => `:(top,literal)${path}`);
		stageNamed(git.repository, literal);
		this.#done('updated', chosen.length);
	}

	#revert(): void {
		const { git } = this;
		const { repository } = git;
		const files = this.#files().filter(({ staged }) => staged);
		if (files.length === 0) return git.out('\n');
		const chosen = this.#choose(files, 'Revert');
		if (chosen.length === 0) return git.out('\n');
		const before = headFiles(repository);
		for (const { path } of chosen) {
			const file = before.get(path);
			if (file) repository.index.set(newEntry(path, file));
			else {
				repository.index.remove(path);
				git.out(`note: ${path} is untracked now.\n`);
			}
		}
		this.#done('reverted', chosen.length);
	}

	#addUntracked(): void {
		const { git } = this;
		const { repository } = git;
		const paths = computeStatus(repository, { untracked: 'all' }).untracked.filter(
			(path) => !path.endsWith('/') && this.pathspec.matches(path)
		);
		if (paths.length === 0) return git.out('No untracked files.\n\n');
		const items = paths.map((path): MenuItem => ({ name: path }));
		const chosen = chooseItems(git, this.#dialogue, items, { header: HEADER, prompt: 'Add untracked' }) ?? [];
		if (chosen.length === 0) return git.out('\n');
		for (const at of chosen) {
			const stat = lstatOrNull(repository, repository.absolute(paths[at]!));
			if (stat) stageFile(repository, paths[at]!, stat);
		}
		this.#done('added', chosen.length);
	}

	#patch(): void {
		const { git } = this;
		const changed = this.#files().filter(({ unstaged }) => unstaged);
		const files = changed.filter(({ unstaged }) => this.#counts(unstaged) !== 'binary');
		if (files.length === 0) return git.err(changed.length > 0 ? 'Only binary files changed.\n' : 'No changes.\n');
		const chosen = this.#choose(files, 'Patch update').map(({ path }) => `:(top,literal)${path}`);
		if (chosen.length > 0) chooseHunks(git, STAGING, new Pathspec(git.repository, chosen), this.#dialogue);
	}

	#diff(): void {
		const { git } = this;
		const files = this.#files().filter(({ staged }) => staged);
		if (files.length === 0) return git.out('\n');
		const look = { header: HEADER, prompt: 'Review diff', endsAtOnce: true };
		const chosen = chooseItems(git, this.#dialogue, this.#items(files), look) ?? [];
		const changes = chosen.flatMap((at) => files[at]!.staged ?? []);
		if (changes.length > 0) git.out(binaryBytes(printChanges(git.repository, changes, { ...NO_DIFF, patch: true })));
		git.out('\n');
	}
}

const columnsText = (staged: string, unstaged: string, path: string): string =>
	`${staged.padStart(12)} ${unstaged.padStart(12)} ${path}`;

const HEADER = `     ${columnsText('staged', 'unstaged', 'path')}`;
