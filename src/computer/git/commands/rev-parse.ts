import { dateOf } from '../history/filter.ts';
import { fatal, GitError } from '../errors.ts';
import { followGitfile, isGitDirectory } from '../discover.ts';
import { Invocation, type Command } from '../invocation.ts';
import { type Exclusions, noExclusions, readExclusion, refsNamed, SPACES } from '../history/named-starts.ts';
import { mergeBases } from '../history/walk.ts';
import { expandRef, referenceNamed } from '../refs/named-ref.ts';
import { shortRefName } from '../refs/short-name.ts';
import { findRevision, nameFault, peel, resolveCommit, withObjectsMeant } from '../refs/revision.ts';
import { pathArgumentFault } from '../revision-arguments.ts';
import { ANSWERS, commonPlace, PLACES, shownPlace } from './rev-parse-places.ts';
import { inputLines } from '../input-lines.ts';
import { UsageAsked } from '../options.ts';
import { normalizedArguments, readSpecification } from './parse-option-spec.ts';
import { absolute } from '#computer/abi/paths.ts';

const USAGE =
	'usage: git rev-parse [<options>] [<arg>...]\n   or: git rev-parse --parseopt [<options>] -- [<args>...]\n   or: git rev-parse --sq-quote [<arg>...]\n';

/** Environment variables that are local to a repository (`--local-env-vars`). */
const LOCAL_VARIABLES = [
	...['GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_CONFIG', 'GIT_CONFIG_PARAMETERS', 'GIT_CONFIG_COUNT'],
	...['GIT_OBJECT_DIRECTORY', 'GIT_DIR', 'GIT_WORK_TREE', 'GIT_IMPLICIT_WORK_TREE', 'GIT_GRAFT_FILE'],
	...['GIT_INDEX_FILE', 'GIT_NO_REPLACE_OBJECTS', 'GIT_REPLACE_REF_BASE', 'GIT_PREFIX'],
	...['GIT_SHALLOW_FILE', 'GIT_COMMON_DIR']
];

/** Options of `git rev-list`, which `--revs-only` keeps and `--no-revs` omits. */
const IS_HISTORY_OPTION =
	/^(?:--(?:all|bisect|dense|branches|header|ignore-missing|no-merges|no-min-parents|no-max-parents|objects|objects-edge|parents|pretty|remotes|sparse|tags|topo-order|date-order|unpacked|(?:max-age|max-count|min-age|min-parents|max-parents)=.*)|-\d+)$/s;

/** `git rev-parse`: processes options and revisions in order. */
export const revParse: Command = (git, args) => {
	if (args[0] === '--sq-quote') {
		git.out(
			`${args
				.slice(1)
				.map((text) => ` ${quoted(text)}`)
				.join('')}\n`
		);
		return 0;
	}
	if (args[0] === '--parseopt') return parseScriptOptions(git, args.slice(1));
	if (args.length === 1 && args[0] === '-h') throw new UsageAsked(USAGE);
	const parsing = new RevParse(git, args);
	try {
		return parsing.run();
	} finally {
		parsing.flush();
	}
};

/** `git rev-parse --parseopt`: parses the arguments of a script as specified on stdin. */
function parseScriptOptions(git: Invocation, args: readonly string[]): number {
	const end = args.indexOf('--');
	const own = end < 0 ? [] : args.slice(0, end);
	const known = ['--keep-dashdash', '--stop-at-non-option', '--stuck-long'];
	if (end < 0 || own.some((arg) => !known.includes(arg))) throw new GitError(USAGE, 129);
	const specification = readSpecification([...inputLines(git)]);
	try {
		git.out(
			normalizedArguments(specification, args.slice(end + 1), {
				keepsDashes: own.includes('--keep-dashdash'),
				stopsAtOperand: own.includes('--stop-at-non-option'),
				isLong: own.includes('--stuck-long')
			})
		);
		return 0;
	} catch (error) {
		if (!(error instanceof GitError) || error.reason !== 'help') throw error;
		// The script evaluates this output, which prints the usage.
		git.out(`cat <<\\EOF\n${error.message}EOF\n`);
		return error.code;
	}
}

const quoted = (text: string): string => `'${text.replace(/['!]/g, "'\\$&'")}'`;

/** Named revision, with details for its output. */
interface Named {
	id: string;
	/** Name as given; null if the revision has no name. */
	name: string | null;
	isReversed: boolean;
}

class RevParse {
	/** Number of digits of abbreviated ids, 0 for as many as needed; null for full ids. */
	#short: number | null = null;
	#abbreviatesRef: 'strict' | 'loose' | null = null;
	#symbolic: 'as written' | 'full' | null = null;
	#isQuoted = false;
	#verifies = false;
	#quiet = false;
	/** Set by `--not`: negates the revisions that follow. */
	#negated = false;
	#form: 'absolute' | 'relative' | null = null;
	/** Revision used if none is given. */
	#default: string | null = null;
	/** Kinds of arguments that are printed. */
	readonly #shows = { revisions: true, others: true, options: true, names: true };
	/** Prefix added to each path (`--prefix`). */
	#prefix: string | null = null;
	#exclusions: Exclusions = noExclusions();
	/** Revisions found with `--verify`: there must be exactly one. */
	readonly #verified: Named[] = [];

	constructor(
		private git: Invocation,
		private readonly args: string[]
	) {}

	run(): number {
		const { args } = this;
		const hasEnd = args.includes('--');
		let endsOptions = false;
		for (let at = 0; at < args.length; at++) {
			const arg = args[at]!;
			if (arg === '--') {
				if (this.#shows.options || this.#shows.revisions) this.#path(arg, '');
				for (const path of args.slice(at + 1)) this.#path(path);
				break;
			}
			if (!endsOptions && arg === '--end-of-options') {
				endsOptions = true;
				if (this.#shows.options || this.#shows.revisions) this.#path(arg, '');
			} else if (!endsOptions && arg.startsWith('-')) at += this.#option(arg, args[at + 1]);
			else if (!this.#revision(arg)) {
				this.#refuse(arg, hasEnd);
				this.#paths(args.slice(at));
				break;
			}
		}
		return this.#finish();
	}

	/** Flushes the output of the invocation that `--prefix` may have replaced. */
	flush(): void {
		this.git.flush();
	}

	#finish(): number {
		const [one] = this.#verified;
		if (!this.#verifies) this.#showDefault();
		else if (one && this.#verified.length === 1) this.#show(one);
		else if (one || !this.#showDefault()) throw this.#notOne();
		return 0;
	}

	/** Processes an option. Returns the number of further arguments that it consumes. */
	#option(arg: string, next: string | undefined): number {
		const value = () => next ?? missing(arg);
		switch (arg) {
			case '--default':
				this.#default = value();
				return 1;
			case '--git-path':
				this.git.out(`${shownPlace(commonPlace(this.git, value()), this.git.cwd, this.#form)}\n`);
				return 1;
			case '--prefix':
				this.#prefix = value();
				this.#moveTo(this.#prefix);
				return 1;
			case '--resolve-git-dir':
				this.#resolveGitDir(value());
				return 1;
			case '-n':
				if (this.#shows.options && this.#shows.revisions) [arg, value()].forEach((text) => this.#print(text));
				return 1;
		}
		if (!this.#answer(arg) && !this.#setting(arg) && this.#flag(arg) && this.#verifies) throw this.#notOne();
		return 0;
	}

	#answer(arg: string): boolean {
		const { git } = this;
		const [, side, text = ''] = /^--(since|after|until|before)=(.*)$/s.exec(arg) ?? [];
		if (ANSWERS[arg]) git.out(`${ANSWERS[arg](git)}\n`);
		else if (PLACES[arg]) git.out(`${shownPlace(PLACES[arg](git), git.cwd, this.#form)}\n`);
		else if (arg === '--local-env-vars') git.out(LOCAL_VARIABLES.map((name) => `${name}\n`).join(''));
		else if (arg === '--show-superproject-working-tree') this.#printSuperproject();
		else if (/^--show-object-format(?:=|$)/.test(arg)) {
			const mode = arg.split('=')[1] ?? 'storage';
			if (!['storage', 'input', 'output'].includes(mode)) throw fatal(`unknown mode for --show-object-format: ${mode}`);
			git.out('sha1\n');
		} else if (side !== undefined) {
			const age = side === 'since' || side === 'after' ? 'max' : 'min';
			this.#flag(`--${age}-age=${dateOf(text, git.context.sync.now())}`);
		} else return this.#refs(arg);
		return true;
	}

	/** Prints the refs that an option selects. Returns false if it is not such an option. */
	#refs(arg: string): boolean {
		const { repository } = this.git;
		if (readExclusion(this.git, this.#exclusions, arg)) return true;
		const [, name = '', value] = /^(--[a-z]+)(?:=(.*))?$/s.exec(arg) ?? [];
		if (name === '--disambiguate' && value !== undefined && value.length >= 4) {
			for (const id of repository.objects.idsWithPrefix(value.toLowerCase()).sort())
				this.#show({ id, name: null, isReversed: false });
			return true;
		}
		if (arg === '--bisect') {
			for (const { id, name: full } of repository.refs.list('refs/bisect/')) {
				const isGood = full.startsWith('refs/bisect/good');
				if (isGood || full.startsWith('refs/bisect/bad')) this.#show({ id, name: full, isReversed: isGood });
			}
			return true;
		}
		const space = SPACES[name];
		if (space === undefined || (name === '--glob' && value === undefined) || (name === '--all' && value !== undefined))
			return false;
		const isWhole = name === '--all' || name === '--glob';
		for (const { id, name: full } of refsNamed(repository, name, value, this.#exclusions))
			this.#show({ id, name: isWhole ? full : full.slice(space.length), isReversed: false });
		this.#exclusions = noExclusions();
		return true;
	}

	#setting(arg: string): boolean {
		const [, name = '', value] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(arg) ?? [];
		if (name === '--short') {
			this.#short = value === undefined ? 0 : Math.min(40, Math.max(4, Number(value) || 0));
			this.#verify();
		} else if (name === '--abbrev-ref') {
			if (value !== undefined && value !== 'strict' && value !== 'loose')
				throw fatal(`unknown mode for --abbrev-ref: ${value}`);
			const usual = this.git.repository.config.flag('core.warnambiguousrefs', true) ? 'strict' : 'loose';
			this.#abbreviatesRef = value ?? usual;
		} else if (name === '--path-format') {
			if (value === undefined) missing(arg);
			if (value !== 'absolute' && value !== 'relative') throw fatal(`unknown argument to --path-format: ${value}`);
			this.#form = value;
		} else if (arg === '--verify') this.#verify();
		else if (arg === '--quiet' || arg === '-q') this.#quiet = true;
		else if (arg === '--not') this.#negated = !this.#negated;
		else if (arg === '--sq') this.#isQuoted = true;
		else if (arg === '--symbolic') this.#symbolic = 'as written';
		else if (arg === '--symbolic-full-name') this.#symbolic = 'full';
		else if (arg === '--revs-only') this.#shows.others = false;
		else if (arg === '--no-revs') this.#shows.revisions = false;
		else if (arg === '--flags') this.#shows.names = false;
		else if (arg === '--no-flags') this.#shows.options = false;
		else return false;
		return true;
	}

	#verify(): void {
		this.#verifies = true;
		this.#shows.options = false;
		this.#shows.others = false;
	}

	/** Prints an option of another command, if such options are requested. Returns whether it did. */
	#flag(arg: string): boolean {
		const { options, revisions, others } = this.#shows;
		if (!options || !(IS_HISTORY_OPTION.test(arg) ? revisions : others)) return false;
		this.#print(arg);
		return true;
	}

	/** Processes a revision or a range. Returns whether the text is one. */
	#revision(text: string): boolean {
		if (this.#range(text) || this.#parents(text)) return true;
		const isReversed = text.startsWith('^');
		const name = isReversed ? text.slice(1) : text;
		const id = findRevision(this.git.repository, name);
		if (id === null) return false;
		if (this.#verifies) this.#verified.push({ id, name, isReversed });
		else this.#show({ id, name, isReversed });
		return true;
	}

	/** Processes `a..b` and `a...b`; an omitted end is `HEAD`. Returns whether the text is a range. */
	#range(text: string): boolean {
		const { repository } = this.git;
		const [, left = '', dots = '', right = ''] = /^(.*?)(\.\.\.?)(.*)$/s.exec(text) ?? [];
		// `..` alone is the parent directory.
		if (dots === '' || text === '..') return false;
		const [from, to] = [left || 'HEAD', right || 'HEAD'];
		const [start, end] = [findRevision(repository, from), findRevision(repository, to)];
		if (start === null || end === null) return false;
		const isSymmetric = dots === '...';
		const commits = [start, end].map((id) => peel(repository, id, 'commit'));
		if (isSymmetric && commits.includes(null)) return false;
		this.#show({ id: end, name: to, isReversed: false });
		this.#show({ id: start, name: from, isReversed: !isSymmetric });
		if (isSymmetric)
			for (const id of mergeBases(repository, commits[0]!, commits[1]!))
				this.#show({ id, name: null, isReversed: true });
		return true;
	}

	/** Processes `a^!`, `a^@` and `a^-2`. Returns whether the text is one of these. */
	#parents(text: string): boolean {
		const { repository } = this.git;
		const [, name = '', mark = '', digits = ''] = /^(.*)\^(!|@|-(\d*))$/s.exec(text) ?? [];
		if (mark === '' || findRevision(repository, name) === null) return false;
		const id = resolveCommit(repository, name);
		const parents = repository.parents(id);
		const only = mark.startsWith('-') ? Number(digits || 1) : null;
		if (only !== null && (only < 1 || only > parents.length)) return false;
		if (mark !== '@') this.#show({ id, name, isReversed: false });
		for (const [at, parent] of parents.entries())
			if (only === null || only === at + 1)
				this.#show({ id: parent, name: `${name}^${at + 1}`, isReversed: mark !== '@' });
		return true;
	}

	/** Prints the default revision. Returns whether there is one. */
	#showDefault(): boolean {
		const name = this.#default;
		this.#default = null;
		const id = name === null ? null : findRevision(this.git.repository, name);
		if (id === null) return false;
		this.#show({ id, name, isReversed: false });
		return true;
	}

	#show({ id, name, isReversed }: Named): void {
		if (!this.#shows.revisions) return;
		this.#default = null;
		const text = this.#shown(id, name);
		if (text !== null) this.#print(`${isReversed === this.#negated ? '' : '^'}${text}`);
	}

	/** Requested form of a revision; null if it has no such name. */
	#shown(id: string, name: string | null): string | null {
		const { repository } = this.git;
		if (name !== null && (this.#symbolic === 'full' || this.#abbreviatesRef !== null)) {
			const named = name.startsWith('refs/') ? expandRef(repository, name) : referenceNamed(repository, name);
			if (named === null) return null;
			const full = repository.refs.target(named);
			return this.#abbreviatesRef === null
				? full
				: shortRefName(repository.refs, full, this.#abbreviatesRef === 'strict');
		}
		if (name !== null && this.#symbolic !== null) return name;
		if (this.#short === null) return id;
		return repository.objects.abbreviate(id, this.#short === 0 ? undefined : this.#short);
	}

	#print(text: string): void {
		this.git.out(this.#isQuoted ? `${quoted(text)} ` : `${text}\n`);
	}

	/** Prints a path, if paths are requested. Returns whether it did. */
	#path(path: string, prefix = this.#prefix ?? ''): boolean {
		this.#showDefault();
		if (!this.#shows.names || !this.#shows.others) return false;
		this.#print(prefix === '' || path.startsWith('/') ? path : `${prefix}${path}`);
		return true;
	}

	/** Prints paths of the worktree. @throws GitError if a path does not exist */
	#paths(paths: readonly string[]): void {
		for (const [at, path] of paths.entries()) {
			if (!this.#path(path)) {
				if (at === 0) return;
				continue;
			}
			const fault = pathArgumentFault(this.git.repository, path, at === 0);
			if (!fault) continue;
			if (this.#quiet) throw new GitError('', 128);
			throw fault;
		}
	}

	/** @throws GitError if the argument must be a revision */
	#refuse(text: string, hasEnd: boolean): void {
		const fault = nameFault(this.git.repository, text);
		if (fault) throw this.#quiet ? new GitError('', 128) : fault;
		if (this.#verifies)
			throw this.#quiet ? this.#notOne() : withObjectsMeant(this.git.repository, text, this.#notOne());
		if (hasEnd) throw fatal(`bad revision '${text}'`);
	}

	#notOne(): GitError {
		return this.#quiet ? new GitError('', 1) : fatal('Needed a single revision');
	}

	/** Continues as if git had been started in a directory of the worktree. */
	#moveTo(prefix: string): void {
		const { context, env, isBareAsked, surroundings, repository } = this.git;
		this.git.flush();
		this.git = new Invocation(context, absolute(prefix, repository.root), surroundings.overrides, env, isBareAsked);
	}

	/** Prints a path if it is a repository, or the repository to which a `.git` file points. */
	#resolveGitDir(path: string): void {
		const { surroundings, cwd } = this.git;
		const full = absolute(path, cwd);
		const gitDir = followGitfile(surroundings, full);
		if (!isGitDirectory(surroundings, gitDir)) throw fatal(`not a gitdir '${path}'`);
		this.git.out(`${gitDir === full ? path : gitDir}\n`);
	}

	/** Prints the worktree of the superproject, if this is a submodule. */
	#printSuperproject(): void {
		const { gitDir } = this.git.repository;
		const at = gitDir.indexOf('/.git/modules/');
		if (at >= 0) this.git.out(`${gitDir.slice(0, at)}\n`);
	}
}

function missing(option: string): never {
	throw fatal(`${option} requires an argument`);
}
