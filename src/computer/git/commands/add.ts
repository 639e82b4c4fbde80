import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { EMPTY_BLOB } from '../objects/object.ts';
import { parseOptions } from '../options.ts';
import { changedFile, modeOf } from '../worktree/file-state.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { scanRepository } from '../worktree/scan.ts';
import { stageFile } from '../worktree/staging.ts';

export const add: Command = (git, args) => {
	const options = parseOptions('add [<options>] [--] <pathspec>...', args, {
		all: '-A --all --no-ignore-removal',
		update: '-u --update',
		force: '-f --force',
		dryRun: '-n --dry-run',
		verbose: '-v --verbose',
		intent: '-N --intent-to-add',
		ignoreRemoval: '--no-all --ignore-removal'
	});
	const { repository } = git;
	const given = [...options.operands, ...(options.paths ?? [])];
	const everything = options.has('all') || options.has('update');
	if (given.length === 0 && !everything) {
		git.err(
			'Nothing specified, nothing added.\nhint: Maybe you wanted to say \'git add .\'?\nhint: Turn this message off by running\nhint: "git config advice.addEmptyPathspec false"\n'
		);
		return 0;
	}
	const pathspec = new Pathspec(repository, given);
	const { index, files, root } = repository;
	const scan = scanRepository(repository, { listIgnored: options.has('force') });
	const tracked = new Set(index.entries().map(({ path }) => path));
	const candidates = options.has('force') ? [...scan.files.keys()] : [...scan.visible];
	const missing = pathspec.unmatched([...tracked, ...candidates]);
	if (missing !== undefined)
		refuse(missing, repository.fromCwd(missing), scan.rules, [...scan.files.keys(), ...scan.ignored]);
	const say = (verb: string, path: string) => {
		if (options.has('verbose') || options.has('dryRun')) git.out(`${verb} '${path}'\n`);
	};
	const change = (act: () => void) => {
		if (!options.has('dryRun')) act();
	};
	for (const entry of index.entries()) {
		if (!pathspec.matches(entry.path) || !index.has(entry.path)) continue;
		const stat = scan.files.get(entry.path);
		if (!stat) {
			if (options.has('ignoreRemoval') || scan.nested.includes(`${entry.path}/`)) continue;
			say('remove', entry.path);
			change(() => index.remove(entry.path));
		} else if (entry.stage > 0 || entry.intentToAdd || changedFile(files, index, root, entry, stat)) {
			say('add', entry.path);
			change(() => stageFile(repository, entry.path, stat));
		}
	}
	if (!options.has('update')) {
		for (const path of candidates) {
			if (tracked.has(path) || !pathspec.matches(path)) continue;
			const stat = scan.files.get(path)!;
			say('add', path);
			change(() => {
				if (!options.has('intent')) return stageFile(repository, path, stat);
				index.set({ path, mode: modeOf(stat), id: EMPTY_BLOB, stage: 0, size: 0, modifiedMs: 0, intentToAdd: true });
			});
		}
	}
	index.save();
	return 0;
};

function refuse(
	given: string,
	path: string,
	rules: { ignoresBelow(path: string, directory: boolean): boolean },
	all: string[]
): void {
	const exists = all.some((other) => other === path || other.startsWith(`${path}/`));
	if (rules.ignoresBelow(path, false) || rules.ignoresBelow(path, true)) {
		throw new GitError(
			`The following paths are ignored by one of your .gitignore files:\n${given}\n` +
				'hint: Use -f if you really want to add them.\nhint: Turn this message off by running\n' +
				'hint: "git config advice.addIgnoredFile false"',
			1
		);
	}
	if (!exists && path !== '') throw fatal(`pathspec '${given}' did not match any files`);
}
