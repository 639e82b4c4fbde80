import { binaryBytes } from '../diff/lines.ts';
import { headTree, treeToIndex } from '../diff/sides.ts';
import { fatal, GitError } from '../errors.ts';
import { signedOff } from '../history/trailers.ts';
import { runHook } from '../hooks.ts';
import type { Command, Invocation } from '../invocation.ts';
import { AmSession, type AmChoices, type PendingCommit } from '../mail/am-session.ts';
import { MailPatch } from '../mail/apply-mail.ts';
import { patchFormat, readPatchFiles } from '../mail/patch-files.ts';
import { mailDateOf, readMail } from '../mail/read-mail.ts';
import { serializeCommit, subjectOf } from '../objects/commit.ts';
import { EMPTY_TREE } from '../objects/object.ts';
import { parseOptions, type Options } from '../options.ts';
import { APPLY_OPTIONS } from '../patch/apply-options.ts';
import { forgetConflicts, rememberResolutions } from '../rerere/rerere.ts';
import { forget } from '../sequence/replay.ts';
import { removeFile, writeFile } from '../worktree/checkout.ts';
import { switchTree } from '../worktree/switch-tree.ts';
import { treeFiles } from '../worktree/tree-files.ts';
import { pathOf } from '../diff/change.ts';

const OPTIONS = {
	...APPLY_OPTIONS,
	proceed: '--continue -r --resolved',
	skip: '--skip',
	abort: '--abort',
	quit: '--quit',
	show: '--show-current-patch ?',
	allowEmpty: '--allow-empty',
	quiet: '-q --quiet',
	keep: '-k --keep',
	keepNonPatch: '-b --keep-non-patch',
	signoff: '-s --signoff',
	threeWay: '-3 --3way',
	noThreeWay: '--no-3way',
	messageId: '-m --message-id',
	noMessageId: '--no-message-id',
	keepCr: '--keep-cr',
	noKeepCr: '--no-keep-cr',
	scissors: '-c --scissors',
	noScissors: '--no-scissors',
	quotedCr: '--quoted-cr =',
	format: '--patch-format =',
	resolveMessage: '--resolvemsg =',
	committerDate: '--committer-date-is-author-date',
	ignoreDate: '--ignore-date',
	empty: '--empty =',
	noVerify: '-n --no-verify',
	autoupdate: '--rerere-autoupdate !',
	// Messages are always UTF-8.
	accepted: '-u --utf8'
};

type AmOptions = Options<keyof typeof OPTIONS>;

const RESUMES = ['proceed', 'skip', 'abort', 'quit', 'show', 'allowEmpty'] as const;

/** `git am`: turns each mail into a commit; stops for the user at a mail that does not apply. */
export const am: Command = (git, args) => {
	const options = parseOptions('am [<options>] [(<mbox> | <Maildir>)...]', args, OPTIONS);
	const session = new AmSession(git.repository);
	const mode = options.latest(...RESUMES);
	const empty = options.get('empty');
	if (empty !== undefined && !['stop', 'drop', 'keep'].includes(empty))
		throw new GitError(`error: invalid value for '--empty': '${empty}'`, 129);
	if (!session.isRunning) {
		if ((mode === 'abort' || mode === 'quit') && session.isPresent) {
			session.end();
			return 0;
		}
		if (mode !== undefined) throw fatal('Resolve operation not in progress, we are not resuming.');
		return begin(git, options, session);
	}
	const operation = new AmRun(git, options, session);
	switch (mode) {
		case 'quit':
			session.end();
			return 0;
		case 'show':
			return show(git, options, session);
		case 'abort':
			return operation.abort();
		case 'skip':
			return operation.skip();
		case 'proceed':
		case 'allowEmpty':
			return operation.resolve(mode === 'allowEmpty');
		default:
			if (options.operands.length > 0 || !git.context.sync.isTerminal(0))
				throw fatal('previous rebase directory .git/rebase-apply still exists but mbox given.');
			return operation.run(true);
	}
};

function begin(git: Invocation, options: AmOptions, session: AmSession): number {
	const { config } = git.repository;
	const format = options.get('format');
	const keepsCr = options.latest('keepCr', 'noKeepCr');
	const isKeeping = keepsCr === undefined ? config.flag('am.keepcr', false) : keepsCr === 'keepCr';
	const chosen = format === undefined ? null : patchFormat(format);
	const names = options.operands.length > 0 ? options.operands : ['-'];
	const mails = readPatchFiles(git, names, chosen, isKeeping);
	session.begin(mails, choices(git, options));
	return new AmRun(git, options, session).run(false);
}

function choices({ repository: { config } }: Invocation, options: AmOptions): AmChoices {
	const chosen = <A extends keyof typeof OPTIONS, B extends keyof typeof OPTIONS>(on: A, off: B, setting: boolean) => {
		const last = options.latest<keyof typeof OPTIONS>(on, off);
		return last === undefined ? setting : last === on;
	};
	const quotedCr = options.get('quotedCr') ?? config.get('mailinfo.quotedcr') ?? 'warn';
	if (quotedCr !== 'warn' && quotedCr !== 'nowarn' && quotedCr !== 'strip')
		throw new GitError(`error: bad action '${quotedCr}' for '--quoted-cr'`, 129);
	const scissors = options.latest('scissors', 'noScissors');
	return {
		threeWay: chosen('threeWay', 'noThreeWay', config.flag('am.threeway', false)),
		quiet: options.has('quiet'),
		signoff: options.has('signoff'),
		keep: options.has('keep') ? 'all' : options.has('keepNonPatch') ? 'non-patch' : 'none',
		messageId: chosen('messageId', 'noMessageId', config.flag('am.messageid', false)),
		scissors: scissors === undefined ? null : scissors === 'scissors',
		quotedCr,
		applyArgs: applyArguments(options)
	};
}

/** Options of `git apply` as command-line arguments, to be stored. */
function applyArguments(options: AmOptions): string[] {
	const names = Object.keys(APPLY_OPTIONS) as (keyof typeof APPLY_OPTIONS)[];
	return options.inOrder(...names).map(({ name, value }) => {
		const spelling = APPLY_OPTIONS[name].split(' ')[0]!;
		if (!APPLY_OPTIONS[name].endsWith('=')) return spelling;
		return spelling.startsWith('--') ? `${spelling}=${value}` : spelling + value;
	});
}

function show(git: Invocation, options: AmOptions, session: AmSession): number {
	const kinds = new Set(options.all('show').map((text) => (text === '' ? 'raw' : text)));
	const [kind = 'raw'] = kinds;
	const wrong = [...kinds].find((one) => one !== 'raw' && one !== 'diff');
	if (wrong !== undefined) throw new GitError(`error: invalid value for '--show-current-patch': '${wrong}'`, 129);
	if (kinds.size > 1)
		throw new GitError(
			`error: options '--show-current-patch=${[...kinds][1]}' and '--show-current-patch=${kind}' cannot be used together`,
			129
		);
	git.out(binaryBytes(kind === 'diff' ? session.patch() : (session.mail() ?? '')));
	return 0;
}

/** Applies the mails that remain. */
class AmRun {
	readonly #choices: AmChoices;

	constructor(
		private readonly git: Invocation,
		private readonly options: AmOptions,
		private readonly session: AmSession
	) {
		const stored = session.choices();
		this.#choices = { ...stored, quiet: stored.quiet || options.has('quiet') };
	}

	/** Applies the remaining mails. @param resumes whether the first one was already read */
	run(resumes: boolean): number {
		const { git, session } = this;
		const { repository } = git;
		const dirty = treeToIndex(repository, headTree(repository)).map(pathOf);
		repository.files.remove(`${session.directory}/dirtyindex`, { force: true });
		if (dirty.length > 0) {
			session.write('dirtyindex', 't\n');
			throw fatal(`Dirty index: cannot apply patches (dirty: ${dirty.join(' ')})`);
		}
		for (let isResumed = resumes; session.next <= session.last; isResumed = false) {
			const code = this.#applyNext(isResumed);
			if (code !== 0) return code;
			session.advance();
		}
		session.end();
		return 0;
	}

	/** Commits the changes that the user staged, then continues. */
	resolve(isEmptyAllowed: boolean): number {
		const { git, session } = this;
		const { repository } = git;
		const pending = session.pending();
		this.#say(`Applying: ${subjectOf(pending.message)}\n`);
		const isUnmerged = repository.index.unmerged().length > 0;
		if (!isUnmerged && treeToIndex(repository, headTree(repository)).length === 0) {
			if (!isEmptyAllowed || session.patch() !== '') {
				git.out(
					"No changes - did you forget to use 'git add'?\nIf there is nothing left to stage, chances are that something else\nalready introduced the same changes; you might want to skip this patch.\n"
				);
				return this.#stop();
			}
			git.out('No changes - recorded it as an empty commit.\n');
		}
		if (isUnmerged) {
			git.out(
				'You still have unmerged paths in your index.\nYou should \'git add\' each file with resolved conflicts to mark them as such.\nYou might run `git rm` on a file to accept "deleted by them" for it.\n'
			);
			return this.#stop();
		}
		rememberResolutions(git, this.#autoupdate());
		const code = this.#commit(pending);
		if (code !== 0) return code;
		session.advance();
		return this.run(false);
	}

	skip(): number {
		const { repository } = this.git;
		this.#cleanIndex(headTree(repository));
		this.session.advance();
		return this.run(false);
	}

	abort(): number {
		const { git, session } = this;
		const { repository } = git;
		const head = repository.head();
		const isMoved = (head ?? '') !== session.note('abort-safety');
		if (session.note('dirtyindex') !== '' || isMoved) {
			if (isMoved && session.note('dirtyindex') === '')
				git.err("warning: You seem to have moved HEAD since the last 'am' failure.\nNot rewinding to ORIG_HEAD\n");
			session.end();
			return 0;
		}
		const start = repository.refs.resolve('ORIG_HEAD');
		this.#cleanIndex(start === null ? EMPTY_TREE : repository.commit(start).tree);
		const branch = repository.refs.symbolic('HEAD');
		if (start !== null) {
			if (start !== head) repository.refs.update('HEAD', start, 'am --abort');
		} else if (branch !== null && head !== null) repository.refs.delete(branch);
		session.end();
		return 0;
	}

	#autoupdate(): boolean | undefined {
		if (this.options.has('autoupdate')) return true;
		return this.options.isTakenBack('autoupdate') ? false : undefined;
	}

	/** Removes conflicts and staged changes left by an interrupted mail. Other changes of files are kept. */
	#cleanIndex(target: string): void {
		const { repository } = this.git;
		const { index, objects } = repository;
		forgetConflicts(repository);
		const head = treeFiles(objects, headTree(repository));
		for (const path of index.unmerged()) {
			const file = head.get(path);
			index.remove(path);
			if (file) index.set(writeFile(repository, path, file));
			else removeFile(repository, path);
		}
		const staged = index.writeTree((content) => objects.write('tree', content));
		switchTree(repository, staged, target, { verb: 'merge' });
		index.save();
		forget(repository, 'MERGE_HEAD', 'MERGE_MSG', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'SQUASH_MSG');
	}

	#say(text: string): void {
		if (!this.#choices.quiet) this.git.out(text);
	}

	#applyNext(isResumed: boolean): number {
		const { git, session, options } = this;
		const mail = session.mail();
		if (mail === null) return 0;
		const pending = isResumed ? session.pending() : this.#read(mail);
		if (!pending) return 0;
		const subject = subjectOf(pending.message);
		const isEmpty = session.patch() === '';
		const keeps = isEmpty && options.get('empty') === 'keep';
		if (isEmpty && options.get('empty') === 'drop') {
			this.#say(`Skipping: ${subject}\n`);
			return 0;
		}
		if (keeps) this.#say(`Creating an empty commit: ${subject}\n`);
		else if (isEmpty) {
			git.out('Patch is empty.\n');
			return this.#stop();
		}
		const message = this.#hookedMessage(pending);
		if (message === null) return 1;
		if (keeps) return this.#commit({ ...pending, message });
		this.#say(`Applying: ${subjectOf(message)}\n`);
		const result = this.#apply(message);
		if (result === 'same') return 0;
		if (result === 'applied') return this.#commit({ ...pending, message });
		git.out(`Patch failed at ${session.number} ${subjectOf(message)}\n`);
		if (git.repository.config.flag('advice.amworkdir', true))
			git.err("hint: Use 'git am --show-current-patch=diff' to see the failed patch\n");
		return this.#stop();
	}

	/** Parses a mail and saves the parts of its commit; null if the mail is skipped. */
	#read(mail: string): PendingCommit | null {
		const { git, session } = this;
		const { keep, messageId, quotedCr, scissors } = this.#choices;
		const { config } = git.repository;
		const found = readMail(mail, {
			keep,
			messageId,
			quotedCr,
			scissors: scissors ?? config.flag('mailinfo.scissors', false),
			warn: (text) => git.err(text)
		});
		session.write('patch', found.patch);
		// The first mail in a Pine mailbox contains Pine's own data.
		if (found.name === 'Mail System Internal Data') return null;
		const message = this.#choices.signoff ? signedOff(git.repository, found.message) : found.message;
		const pending = { message, name: found.name, email: found.email, date: found.date };
		session.keepPending(pending);
		return pending;
	}

	/** Message as edited by the hook `applypatch-msg`; null if the hook rejects it. */
	#hookedMessage({ message }: PendingCommit): string | null {
		const { git, session, options } = this;
		if (options.has('noVerify')) return message;
		const path = `${session.directory}/final-commit`;
		if (!runHook(git, 'applypatch-msg', [path])) return null;
		return session.pending().message;
	}

	#apply(message: string): 'applied' | 'same' | 'failed' {
		const { git, session } = this;
		const { repository } = git;
		const { threeWay, quiet, applyArgs } = this.#choices;
		const options = parseOptions('am', [...applyArgs], APPLY_OPTIONS);
		const say = (text: string) => git.err(text);
		const name = '.git/rebase-apply/patch';
		try {
			if (new MailPatch(git, session.patch(), options, name, say).apply(threeWay)) return 'applied';
			if (!threeWay) return 'failed';
			const patch = new MailPatch(git, session.patch(), options, name, () => undefined);
			if (!patch.merge(headTree(repository), subjectOf(message), quiet, (text) => this.#say(text))) {
				rememberResolutions(git, this.#autoupdate());
				git.err('error: Failed to merge in the changes.\n');
				return 'failed';
			}
		} catch (error) {
			if (!(error instanceof GitError)) throw error;
			git.err(`${error.message}\n`);
			return 'failed';
		}
		if (treeToIndex(repository, headTree(repository)).length > 0) return 'applied';
		this.#say('No changes -- Patch already applied.\n');
		return 'same';
	}

	#commit({ message, name, email, date }: PendingCommit): number {
		const { git, options } = this;
		if (!options.has('noVerify') && !runHook(git, 'pre-applypatch')) return 1;
		const { repository } = git;
		const { objects, index, refs } = repository;
		const tree = index.writeTree((content) => objects.write('tree', content));
		index.save();
		const head = repository.head();
		if (head === null && !this.#choices.quiet) git.err('applying to an empty history\n');
		const { seconds, offsetMinutes } = repository.committer();
		const now = { seconds, offsetMinutes };
		const when = options.has('ignoreDate') ? nowOf(repository.files.now()) : (mailDateOf(date) ?? now);
		const committer = repository.committer();
		const made = {
			tree,
			parents: head === null ? [] : [head],
			author: { name, email, ...when },
			committer: options.has('committerDate') ? { ...committer, ...when } : committer,
			message
		};
		const id = objects.write('commit', serializeCommit(made));
		refs.update('HEAD', id, `${git.env['GIT_REFLOG_ACTION'] ?? 'am'}: ${subjectOf(message)}`);
		// The commit exists, so this hook's exit code is ignored.
		runHook(git, 'post-applypatch');
		return 0;
	}

	/** Prints how to continue. Returns the exit code. */
	#stop(): number {
		const { git, options, session } = this;
		const given = options.get('resolveMessage');
		if (given !== undefined) {
			git.out(`${given}\n`);
			return 128;
		}
		const { repository } = git;
		const isEmpty = session.patch() === '' && treeToIndex(repository, headTree(repository)).length === 0;
		const canRecord = isEmpty && repository.config.flag('advice.amworkdir', true);
		git.out(
			'When you have resolved this problem, run "git am --continue".\n' +
				'If you prefer to skip this patch, run "git am --skip" instead.\n' +
				(canRecord ? 'To record the empty patch as an empty commit, run "git am --allow-empty".\n' : '') +
				'To restore the original branch and stop patching, run "git am --abort".\n'
		);
		return 128;
	}
}

const nowOf = (ms: number) => ({
	seconds: Math.floor(ms / 1000),
	offsetMinutes: -new Date(ms).getTimezoneOffset() || 0
});
