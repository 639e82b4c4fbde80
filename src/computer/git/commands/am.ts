import { absolute } from '#computer/abi/paths.ts';
import { binaryBytes, binaryText, splitLines } from '../diff/lines.ts';
import { headTree, treeToIndex } from '../diff/sides.ts';
import { fatal, GitError } from '../errors.ts';
import { signedOff } from '../history/trailers.ts';
import type { Command, Invocation } from '../invocation.ts';
import { readMail, splitMailbox, type PatchMail } from '../mail/read-mail.ts';
import { missingAsNull } from '../objects/store.ts';
import { parseOptions } from '../options.ts';
import { parsePatches } from '../patch/file-patch.ts';
import { PatchTarget } from '../patch/target.ts';
import type { Repository } from '../repository.ts';
import { commitIndex, forget } from '../sequence/replay.ts';
import { switchTree } from '../worktree/checkout.ts';

/** Directory of the mails not yet applied. */
const WAITING = 'rebase-apply';

/** `git am`: makes a commit of each mail; stops for the user at one that does not apply. */
export const am: Command = (git, args) => {
	const options = parseOptions('am [<options>] [(<mbox> | <Maildir>)...]', args, {
		proceed: '--continue -r --resolved',
		skip: '--skip',
		abort: '--abort',
		quit: '--quit',
		show: '--show-current-patch ?',
		quiet: '-q --quiet',
		keep: '-k --keep',
		signoff: '-s --signoff',
		threeWay: '-3 --3way',
		accepted: '--no-3way -u --utf8 --keep-cr --no-keep-cr --committer-date-is-author-date'
	});
	const { repository } = git;
	const say = (text: string) => {
		if (!options.has('quiet')) git.out(text);
	};
	const running = repository.note(`${WAITING}/applying`) !== null;
	if (['proceed', 'skip', 'abort', 'quit', 'show'].some((name) => options.has(name as 'skip')) && !running)
		throw fatal('Resolve operation not in progress, we are not resuming.');
	if (options.has('quit')) return finished(repository);
	if (options.has('show')) {
		git.out(binaryBytes(waiting(repository).mails[0] ?? ''));
		return 0;
	}
	if (options.has('abort')) return abort(git);
	if (options.has('skip')) return skip(git, say);
	if (options.has('proceed')) return goOn(git, say);
	if (options.has('threeWay')) throw fatal('a patch is applied as it is here, and not merged: git am without --3way');
	if (running) throw fatal(`previous rebase directory .git/${WAITING} still exists but mbox given.`);
	const names = options.operands.length > 0 ? options.operands : ['-'];
	const mails = names.flatMap((name) => splitMailbox(binaryText(read(git, name))));
	const head = repository.head();
	if (head === null) throw fatal('there is no commit yet to put patches on');
	const dirty = treeToIndex(repository, headTree(repository)).map(({ after, before }) => (after ?? before)?.path ?? '');
	if (dirty.length) throw new GitError(`fatal: Dirty index: cannot apply patches (dirty: ${dirty.join(' ')})`, 128);
	const wait: Waiting = { start: head, done: 0, mails, keep: options.has('keep'), signoff: options.has('signoff') };
	return applyAll(git, wait, say);
};

interface Waiting {
	/** The commit it began on. */
	start: string;
	done: number;
	mails: string[];
	keep: boolean;
	signoff: boolean;
}

type Say = (text: string) => void;

function applyAll(git: Invocation, state: Waiting, say: Say): number {
	const { repository } = git;
	for (; state.mails.length > 0; next(state)) {
		const mail = readMail(state.mails[0]!, state.keep);
		if (!mail) {
			save(repository, state);
			throw fatal('Patch format detection failed.');
		}
		say(`Applying: ${mail.subject}\n`);
		const problems = applyPatch(repository, mail);
		if (problems.length) {
			save(repository, state);
			for (const problem of problems) git.err(`error: ${problem}\n`);
			git.err("hint: Use 'git am --show-current-patch=diff' to see the failed patch\n");
			say(`Patch failed at ${String(state.done + 1).padStart(4, '0')} ${mail.subject}\n${ADVICE}`);
			return 128;
		}
		commit(repository, mail, state.signoff);
	}
	return finished(repository);
}

const ADVICE = `When you have resolved this problem, run "git am --continue".
If you prefer to skip this patch, run "git am --skip" instead.
To restore the original branch and stop patching, run "git am --abort".
`;

function applyPatch(repository: Repository, mail: PatchMail): string[] {
	const patches = parsePatches(splitLines(binaryBytes(mail.patch)), 1);
	if (patches.length === 0) return ['No valid patches in input (allow with "--allow-empty")'];
	const target = new PatchTarget(repository, 'both', { ignoreSpace: false, noContext: false });
	const problems = patches.flatMap((patch) => target.take(patch));
	if (problems.length === 0) target.write();
	return problems;
}

function commit(repository: Repository, mail: PatchMail, signoff: boolean): void {
	const message = signoff ? signedOff(repository, mail.message) : mail.message;
	commitIndex(repository, { message, author: mail.author, reason: `am: ${mail.subject}`, evenEmpty: true });
}

function goOn(git: Invocation, say: Say): number {
	const { repository } = git;
	const state = waiting(repository);
	const mail = readMail(state.mails[0] ?? '', state.keep);
	if (!mail) throw fatal('the mail that waited is gone: git am --abort');
	say(`Applying: ${mail.subject}\n`);
	if (
		repository.index.entries().some(({ stage }) => stage > 0) ||
		treeToIndex(repository, headTree(repository)).length === 0
	) {
		say(
			`No changes - did you forget to use 'git add'?\nIf there is nothing left to stage, chances are that something else\nalready introduced the same changes; you might want to skip this patch.\n${ADVICE}`
		);
		return 128;
	}
	commit(repository, mail, state.signoff);
	next(state);
	return applyAll(git, state, say);
}

function skip(git: Invocation, say: Say): number {
	const { repository } = git;
	const state = waiting(repository);
	const tree = headTree(repository);
	switchTree(repository, tree, tree, true);
	repository.index.save();
	next(state);
	return applyAll(git, state, say);
}

function abort(git: Invocation): number {
	const { repository } = git;
	const { start } = waiting(repository);
	switchTree(repository, headTree(repository), repository.commit(start).tree, true);
	if (start !== repository.head()) repository.refs.update('HEAD', start, `reset: moving to ${start}`);
	repository.index.save();
	return finished(repository);
}

function next(state: Waiting): void {
	state.mails.shift();
	state.done++;
}

function finished(repository: Repository): number {
	forget(repository, WAITING);
	return 0;
}

function save(repository: Repository, { start, done, mails, keep, signoff }: Waiting): void {
	const { files, gitDir } = repository;
	forget(repository, WAITING);
	files.mkdir(`${gitDir}/${WAITING}`, { recursive: true });
	const write = (name: string, text: string) => files.writeFile(`${gitDir}/${WAITING}/${name}`, binaryBytes(text));
	write('applying', '');
	write('orig-head', `${start}\n`);
	write('next', `${done + 1}\n`);
	write('last', `${done + mails.length}\n`);
	write('keep', keep ? 't\n' : 'f\n');
	write('sign', signoff ? 't\n' : 'f\n');
	for (const [i, mail] of mails.entries()) write(String(done + i + 1).padStart(4, '0'), mail);
}

function waiting(repository: Repository): Waiting {
	const note = (name: string) => repository.note(`${WAITING}/${name}`)?.trim() ?? '';
	const [first, last] = [Number(note('next')), Number(note('last'))];
	const mails: string[] = [];
	for (let i = first; i <= last; i++)
		mails.push(binaryText(repository.files.readFile(`${repository.gitDir}/${WAITING}/${String(i).padStart(4, '0')}`)));
	return {
		start: note('orig-head'),
		done: first - 1,
		mails,
		keep: note('keep') === 't',
		signoff: note('sign') === 't'
	};
}

function read(git: Invocation, name: string): Uint8Array {
	if (name === '-') return git.input();
	const bytes = missingAsNull(() => git.context.sync.readFile(absolute(name, git.cwd)));
	if (!bytes) throw fatal(`could not open '${name}' for reading: No such file or directory`);
	return bytes;
}
