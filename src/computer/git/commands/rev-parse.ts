import { absolute } from '#computer/abi/paths.ts';
import { dateOf } from '../history/filter.ts';
import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { refsNamed, SPACES } from '../history/named-starts.ts';
import { parseRange } from '../history/walk.ts';
import { expandRef, findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

/** Options that ask something of the repository. */
const ANSWERS: Record<string, (git: Invocation) => string> = {
	'--absolute-git-dir': ({ repository }) => repository.gitDir,
	'--is-inside-work-tree': ({ cwd, repository: { isBare, root } }) =>
		String(!isBare && (cwd === root || cwd.startsWith(`${root}/`))),
	'--is-inside-git-dir': ({ cwd, repository }) => String(cwd.startsWith(repository.gitDir)),
	'--is-bare-repository': ({ repository }) => String(repository.config.flag('core.bare', false)),
	'--is-shallow-repository': ({ repository }) => String(repository.note('shallow') !== null),
	'--show-prefix': ({ repository }) => (repository.isBare ? '' : repository.prefix),
	'--show-cdup': ({ repository }) => (repository.isBare ? '' : '../'.repeat(repository.prefix.split('/').length - 1))
};

/** Options that print a place, which `--path-format` applies to. */
const PLACES: Record<string, (git: Invocation) => Place> = {
	'--show-toplevel': ({ repository }) => {
		if (repository.isBare) throw fatal('this operation must be run in a work tree');
		return { path: repository.root, shown: repository.root };
	},
	'--git-dir': (git) => {
		const { gitDir, root } = git.repository;
		const isAtTop = git.env['GIT_DIR'] === undefined && (git.cwd === root || git.cwd === gitDir);
		const short = git.cwd === gitDir ? '.' : gitDir === `${root}/.git` ? '.git' : gitDir;
		return { path: gitDir, shown: git.env['GIT_DIR'] ?? (isAtTop ? short : gitDir) };
	},
	'--git-common-dir': (git) => commonPlace(git, '')
};

/** Files that all working trees of a repository share. */
const IS_SHARED =
	/^(?:objects|config|hooks|info|packed-refs|shallow|description|branches|worktrees|refs(?!\/(?:bisect|worktree|rewritten)\b)|logs\/refs)(?:\/|$)/;

/** A path, and how it is printed unless a form is asked for. */
interface Place {
	path: string;
	shown: string;
}

/** `git rev-parse`: answers options and revisions in their order. */
export const revParse: Command = (git, args) => new RevParse(git, args).run();

class RevParse {
	#short: number | null = null;
	#abbreviatesRef = false;
	#showsFullName = false;
	#verifies = false;
	#quiet = false;
	/** Behind `--not`. */
	#negated = false;
	#form: 'absolute' | 'relative' | null = null;
	/** Revision that counts where none is given. */
	#default: string | null = null;
	#hasRevision = false;
	/** Patterns of `--exclude`, for the next option that names references. */
	#excluded: string[] = [];
	/** Revisions under `--verify`: there must be exactly one. */
	readonly #verified: string[] = [];

	constructor(
		private readonly git: Invocation,
		private readonly args: string[]
	) {}

	run(): number {
		const { args } = this;
		// Options may stand behind what they apply to.
		this.#verifies = args.includes('--verify');
		this.#quiet = args.includes('-q') || args.includes('--quiet');
		for (let at = 0; at < args.length; at++) {
			const arg = args[at]!;
			if (arg === '--end-of-options') {
				for (const text of args.slice(at + 1)) this.#revision(text);
				break;
			}
			if (arg === '--default') this.#default = args[++at] ?? this.#missing(arg);
			else if (arg === '--git-path') this.#print(commonPlace(this.git, args[++at] ?? this.#missing(arg)));
			else if (!this.#answer(arg) && !this.#setting(arg)) this.#revision(arg);
		}
		if (this.#default !== null && !this.#hasRevision) this.#revision(this.#default);
		if (!this.#verifies) return 0;
		const [id] = this.#verified;
		if (id === undefined || this.#verified.length > 1) throw this.#notOne();
		this.git.out(`${id}\n`);
		return 0;
	}

	#missing(option: string): never {
		throw fatal(`${option} requires an argument`);
	}

	#notOne(): GitError {
		return this.#quiet ? new GitError('', 1) : fatal('Needed a single revision');
	}

	#answer(arg: string): boolean {
		const { git } = this;
		if (ANSWERS[arg]) git.out(`${ANSWERS[arg](git)}\n`);
		else if (PLACES[arg]) this.#print(PLACES[arg](git));
		else if (arg === '--show-superproject-working-tree') this.#printSuperproject();
		else if (/^--show-object-format(?:=|$)/.test(arg)) {
			const mode = arg.split('=')[1] ?? 'storage';
			if (!['storage', 'input', 'output'].includes(mode)) throw fatal(`unknown mode for --show-object-format: ${mode}`);
			git.out('sha1\n');
		} else if (this.#refs(arg)) return true;
		else if (arg === '--') git.out('--\n');
		else {
			const [, side, text = ''] = /^--(since|after|until|before)=(.*)$/s.exec(arg) ?? [];
			if (side === undefined) return false;
			const age = side === 'since' || side === 'after' ? 'max' : 'min';
			git.out(`--${age}-age=${dateOf(text, git.context.sync.now())}\n`);
		}
		return true;
	}

	/** Prints the references that an option names. */
	#refs(arg: string): boolean {
		const [, name = '', value] = /^(--[a-z]+)(?:=(.*))?$/s.exec(arg) ?? [];
		if (name === '--exclude' && value !== undefined) {
			this.#excluded.push(value);
			return true;
		}
		if (SPACES[name] === undefined || (name === '--glob' && value === undefined)) return false;
		const found = refsNamed(this.git.repository, name, value, this.#excluded);
		for (const { id, name: full } of found) this.git.out(`${this.#showsFullName ? full : this.#shown(id)}\n`);
		this.#excluded = [];
		this.#hasRevision = true;
		return true;
	}

	#setting(arg: string): boolean {
		if (arg === '--short') this.#short = 0;
		else if (arg.startsWith('--short=')) this.#short = Number(arg.slice(8));
		else if (/^--abbrev-ref(?:=|$)/.test(arg)) this.#abbreviatesRef = true;
		else if (arg === '--symbolic-full-name') this.#showsFullName = true;
		else if (arg === '--not') this.#negated = !this.#negated;
		else if (arg === '--path-format') this.#missing(arg);
		else if (arg.startsWith('--path-format=')) {
			const form = arg.slice('--path-format='.length);
			if (form !== 'absolute' && form !== 'relative') throw fatal(`unknown argument to --path-format: ${form}`);
			this.#form = form;
		} else if (!['--verify', '-q', '--quiet', '--revs-only', '--no-revs', '--flags', '--no-flags'].includes(arg)) {
			if (!arg.startsWith('-')) return false;
			throw fatal(`this git does not know rev-parse ${arg}`);
		}
		return true;
	}

	#revision(text: string): void {
		const { repository } = this.git;
		this.#hasRevision = true;
		if (this.#abbreviatesRef || this.#showsFullName) {
			const full = fullName(repository, text);
			if (full === null) this.#refuse(text);
			else this.#add(this.#showsFullName ? full : full.replace(/^refs\/(heads|tags|remotes)\//, ''));
		} else if (/\.\.|\^[!@]$|\^-\d*$/.test(text) && findRevision(repository, text) === null) {
			const { include, exclude } = parseRange(repository, [text]);
			for (const id of include) this.#add(this.#shown(id));
			for (const id of exclude) this.#add(`^${id}`);
		} else {
			const isNegated = text.startsWith('^');
			const id = findRevision(repository, isNegated ? text.slice(1) : text);
			if (id === null) this.#refuse(text);
			else this.#add(isNegated ? `^${id}` : this.#shown(id));
		}
	}

	#add(text: string): void {
		if (this.#verifies) this.#verified.push(text);
		else this.git.out(`${text}\n`);
	}

	#refuse(text: string): never {
		if (this.#verifies) throw this.#notOne();
		if (!this.#quiet) this.git.out(`${text}\n`);
		throw fatal(
			`ambiguous argument '${text}': unknown revision or path not in the working tree.\n` +
				"Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'"
		);
	}

	#shown(id: string): string {
		const short = this.#short;
		const text = short === null ? id : this.git.repository.objects.abbreviate(id, short === 0 ? undefined : short);
		return `${this.#negated ? '^' : ''}${text}`;
	}

	#print({ path, shown }: Place): void {
		const { cwd } = this.git;
		const text =
			this.#form === null
				? shown
				: this.#form === 'absolute'
					? absolute(path, cwd)
					: relativePath(absolute(path, cwd), cwd);
		this.git.out(`${text}\n`);
	}

	/** Prints the working tree that this one is a submodule of, if it is. */
	#printSuperproject(): void {
		const { gitDir } = this.git.repository;
		const at = gitDir.indexOf('/.git/modules/');
		if (at >= 0) this.git.out(`${gitDir.slice(0, at)}\n`);
	}
}

/** A file of the repository: shown relative to the working directory, unless the repository is apart from the tree. */
function commonPlace(git: Invocation, name: string): Place {
	const { gitDir, commonDir, root } = git.repository;
	const path = [name === '' || IS_SHARED.test(name) ? commonDir : gitDir, name].filter(Boolean).join('/');
	const isApart = gitDir !== `${root}/.git` || git.env['GIT_DIR'] !== undefined;
	const isInside = git.cwd === gitDir;
	return { path, shown: isApart && !isInside ? path : relativePath(path, git.cwd) };
}

/** `./` for the same place, as git writes it. */
function relativePath(path: string, from: string): string {
	if (path === from) return './';
	const [to, start] = [path.split('/'), from.split('/')];
	let same = 0;
	while (same < start.length && same < to.length && start[same] === to[same]) same++;
	return [...start.slice(same).map(() => '..'), ...to.slice(same)].join('/');
}

/** Full name of the ref that a name or `@{u}` stands for; null if there is none. */
function fullName(repository: Repository, name: string): string | null {
	const { refs } = repository;
	const upstream = /^(.*)@\{u(?:pstream)?\}$/.exec(name);
	const full =
		name === 'HEAD' || name === '@'
			? (refs.symbolic('HEAD') ?? 'HEAD')
			: upstream
				? repository.upstream(upstream[1] || (refs.currentBranch() ?? ''))
				: expandRef(repository, name);
	return full !== null && refs.resolve(full) !== null ? full : null;
}
