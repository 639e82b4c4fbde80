import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseRange } from '../history/walk.ts';
import { expandRef, findRevision } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';

const REFS: Record<string, string> = {
	'--all': 'refs/',
	'--branches': 'refs/heads/',
	'--tags': 'refs/tags/',
	'--remotes': 'refs/remotes/'
};

/** Options that ask something of the repository. */
const ANSWERS: Record<string, (git: Invocation) => string> = {
	'--show-toplevel': ({ repository }) => repository.root,
	'--git-dir': ({ repository }) => relativeGitDir(repository),
	'--absolute-git-dir': ({ repository }) => repository.gitDir,
	'--git-common-dir': ({ repository }) => relativeGitDir(repository),
	'--is-inside-work-tree': ({ cwd, repository: { gitDir } }) => String(cwd !== gitDir && !cwd.startsWith(`${gitDir}/`)),
	'--is-inside-git-dir': ({ cwd, repository }) => String(cwd.startsWith(repository.gitDir)),
	'--is-bare-repository': ({ repository }) => String(repository.config.flag('core.bare', false)),
	'--is-shallow-repository': ({ repository }) => String(repository.note('shallow') !== null),
	'--show-prefix': ({ repository }) => repository.prefix,
	'--show-cdup': ({ repository }) => '../'.repeat(repository.prefix.split('/').length - 1),
	'--show-object-format': () => 'sha1'
};

/** `git rev-parse`: answers options and revisions in their order. */
export const revParse: Command = (git, args) => {
	let short: number | null = null;
	let abbreviateRef = false;
	let symbolicName = false;
	let verify = false;
	let quiet = false;
	/** The next word is a name in `.git`. */
	let isPath = false;
	/** Behind `--not`. */
	let negated = false;
	const unknown = (text: string): GitError => {
		if (verify) return quiet ? new GitError('', 1) : fatal('Needed a single revision');
		return fatal(
			`ambiguous argument '${text}': unknown revision or path not in the working tree.\n` +
				"Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'"
		);
	};
	const print = (id: string): void => {
		git.out(
			`${negated ? '^' : ''}${short === null ? id : git.repository.objects.abbreviate(id, short === 0 ? undefined : short)}\n`
		);
	};
	for (const arg of args) {
		const answer = ANSWERS[arg];
		if (answer) git.out(`${answer(git)}\n`);
		else if (arg === '--short') short = 0;
		else if (arg.startsWith('--short=')) short = Number(arg.slice(8));
		else if (arg === '--abbrev-ref') abbreviateRef = true;
		else if (arg === '--symbolic-full-name') symbolicName = true;
		else if (arg === '--verify') verify = true;
		else if (arg === '-q' || arg === '--quiet') quiet = true;
		else if (arg === '--git-path') isPath = true;
		else if (isPath) {
			git.out(`${relativeGitDir(git.repository)}/${arg}\n`);
			isPath = false;
		} else if (arg in REFS) for (const { id } of git.repository.refs.list(REFS[arg]!)) git.out(`${id}\n`);
		else if (arg === '--not') negated = !negated;
		else if (arg === '--') git.out('--\n');
		else if (arg.startsWith('-')) throw fatal(`this git does not know rev-parse ${arg}`);
		else if (abbreviateRef || symbolicName) {
			const full = fullName(git.repository, arg);
			if (full === null) {
				if (!verify && !quiet) git.out(`${arg}\n`);
				throw unknown(arg);
			}
			git.out(`${symbolicName ? full : full.replace(/^refs\/(heads|tags|remotes)\//, '')}\n`);
		} else if (arg.includes('..')) {
			const { include, exclude } = parseRange(git.repository, [arg]);
			include.forEach(print);
			for (const id of exclude) git.out(`^${id}\n`);
		} else {
			const id = findRevision(git.repository, arg);
			if (id === null) {
				if (!verify && !quiet) git.out(`${arg}\n`);
				throw unknown(arg);
			}
			print(id);
		}
	}
	return 0;
};

const relativeGitDir = ({ gitDir, prefix }: Repository): string =>
	prefix === '' && gitDir.endsWith('/.git') ? '.git' : gitDir;

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
