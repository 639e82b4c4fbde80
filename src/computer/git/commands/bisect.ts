import { encode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import { isAncestor } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { subjectOf } from '../objects/commit.ts';
import { findRevision, peel } from '../refs/revision.ts';
import { appendLog, endBisect, readBisect, startBisect, type Bisect, type Verdict } from '../sequence/bisect-state.ts';
import { candidates, chooseNext, stepsLeft } from '../sequence/bisect-choice.ts';
import { show } from './show.ts';
import { checkout } from './checkout.ts';
import { shellWord } from '#environment/shell-word.ts';

const USAGE = 'usage: git bisect [help|start|bad|good|new|old|terms|skip|next|reset|visualize|view|replay|log|run]';
const FOUND = 10;
/** Exit code of a command of `run` for a commit that cannot be tested. */
const CANNOT_TEST = 125;

/** `git bisect`: finds the commit that broke something, by trying the one in the middle. */
export const bisect: Command = async (git, args) => {
	const [word = '', ...rest] = args;
	const { repository } = git;
	if (word === 'start') return start(git, rest);
	if (word === 'reset') return reset(git, rest[0]);
	const state = readBisect(repository);
	if (word === 'log' && state) {
		git.out(state.log);
		return 0;
	}
	const verdict: Verdict | 'skip' | null =
		word === 'bad' || word === 'new' || word === state?.terms.bad
			? 'bad'
			: word === 'good' || word === 'old' || word === state?.terms.good
				? 'good'
				: word === 'skip'
					? 'skip'
					: null;
	if (verdict === null && !['run', 'next', 'terms', 'log'].includes(word)) throw new GitError(USAGE, 1);
	if (!state) throw new GitError('You need to start by "git bisect start"\n', 1);
	if (word === 'terms') {
		git.out(
			`Your current terms are ${state.terms.good} for the old state\nand ${state.terms.bad} for the new state.\n`
		);
		return 0;
	}
	if (word === 'run') return run(git, rest);
	if (verdict !== null) judge(git, state, verdict, rest.length > 0 ? rest : ['HEAD']);
	return finished(await next(git));
};

/** Finding the commit is no failure. */
const finished = (code: number) => (code === FOUND ? 0 : code);

async function start(git: Invocation, args: string[]): Promise<number> {
	const { repository } = git;
	const terms = { bad: 'bad', good: 'good' };
	const revisions: string[] = [];
	for (let at = 0; at < args.length; at++) {
		const arg = args[at] ?? '';
		const [, term, inline] = /^--term-(new|bad|old|good)(?:=(.*))?$/.exec(arg) ?? [];
		if (term !== undefined) terms[/new|bad/.test(term) ? 'bad' : 'good'] = inline ?? args[++at] ?? '';
		else if (arg === '--' && at + 1 < args.length)
			throw fatal('git bisect looks at all paths here: leave out what follows --');
		else if (arg.startsWith('--') && arg !== '--') throw fatal(`unrecognized option: '${arg}'`);
		else if (arg !== '--') revisions.push(arg);
	}
	const ids = revisions.map((text) => commitOf(git, text));
	const before = readBisect(repository);
	const head = repository.refs.currentBranch() ?? repository.head();
	if (head === null) throw fatal('Bad HEAD - I need a HEAD');
	// Restarting still returns to the original starting point.
	startBisect(repository, before?.start ?? head, terms);
	const [bad, ...good] = ids;
	const quoted = args.map((arg) => ` '${arg}'`).join('');
	if (bad !== undefined) mark(git, 'bad', bad, terms.bad);
	for (const id of good) mark(git, 'good', id, terms.good);
	appendLog(repository, `git bisect start${quoted}\n`);
	try {
		return finished(await next(git));
	} catch (error) {
		if (!before) endBisect(repository);
		throw error;
	}
}

function commitOf(git: Invocation, text: string): string {
	const found = findRevision(git.repository, text);
	const id = found === null ? null : peel(git.repository, found, 'commit');
	if (id === null) throw new GitError(`error: Bad rev input: ${text}`, 1);
	return id;
}

const titled = (git: Invocation, id: string) => `[${id}] ${subjectOf(git.repository.commit(id).message)}`;

function mark(git: Invocation, verdict: Verdict | 'skip', id: string, term: string): void {
	const { refs } = git.repository;
	refs.note(verdict === 'bad' ? `refs/bisect/${term}` : `refs/bisect/${term}-${id}`, id);
	appendLog(git.repository, `# ${term}: ${titled(git, id)}\n`);
}

function judge(git: Invocation, state: Bisect, verdict: Verdict | 'skip', revisions: string[]): void {
	if (verdict === 'bad' && revisions.length > 1)
		throw new GitError(`error: 'git bisect ${state.terms.bad}' can take only one argument.`, 1);
	const term = verdict === 'skip' ? 'skip' : state.terms[verdict];
	for (const id of revisions.map((text) => commitOf(git, text))) {
		mark(git, verdict, id, term);
		appendLog(git.repository, `git bisect ${term} ${id}\n`);
	}
}

/** Checks the next commit out, or says which it was. */
async function next(git: Invocation): Promise<number> {
	const { repository } = git;
	const state = readBisect(repository);
	if (!state) return 1;
	const { bad, good, skipped, terms } = state;
	if (bad === null || good.length === 0) {
		// git says good and bad here, whatever words were chosen.
		const known = `${good.length} good commit${good.length > 1 ? 's' : ''} known`;
		const waiting = good.length > 0 ? `bad commit, ${known}` : 'both good and bad commits';
		const status = `waiting for ${bad === null ? waiting : 'good commit(s), bad commit known'}`;
		git.out(`status: ${status}\n`);
		appendLog(repository, `# status: ${status}\n`);
		return 0;
	}
	if (good.some((id) => !isAncestor(repository, id, bad))) {
		throw new GitError(
			`Some ${terms.good} revs are not ancestors of the ${terms.bad} rev.\ngit bisect cannot work properly in this case.\n` +
				`Maybe you mistook ${terms.good} and ${terms.bad} revs?`,
			1
		);
	}
	const left = candidates(repository, bad, good);
	const chosen = chooseNext(left, skipped);
	if (chosen === null || (chosen.id === bad && chosen.untested.length > 0)) {
		const open = (chosen ?? { untested: left.map(({ id }) => id) }).untested;
		git.out(`There are only 'skip'ped commits left to test.\nThe first ${terms.bad} commit could be any of:\n`);
		git.out(`${[...new Set([...open, bad])].join('\n')}\nWe cannot bisect more!\n`);
		return 2;
	}
	if (chosen.id === bad) {
		git.out(`${bad} is the first ${terms.bad} commit\n`);
		appendLog(repository, `# first ${terms.bad} commit: ${titled(git, bad)}\n`);
		await show(git, ['--stat', '--summary', '--format=medium', bad]);
		return FOUND;
	}
	const revisions = left.length - chosen.weight - 1;
	const steps = stepsLeft(left.length);
	git.out(
		`Bisecting: ${revisions} revision${revisions === 1 ? '' : 's'} left to test after this (roughly ${steps} step${steps === 1 ? '' : 's'})\n`
	);
	git.flush();
	repository.files.writeFile(`${repository.gitDir}/BISECT_EXPECTED_REV`, encode(`${chosen.id}\n`));
	const code = await checkout(git, ['--quiet', '--detach', chosen.id]);
	if (code === 0) git.out(`${titled(git, chosen.id)}\n`);
	return code;
}

/** Back to where it began, or to `where`. */
async function reset(git: Invocation, where: string | undefined): Promise<number> {
	const state = readBisect(git.repository);
	if (!state) {
		git.out('We are not bisecting.\n');
		return 0;
	}
	const code = await checkout(git, [where ?? state.start]);
	if (code === 0) endBisect(git.repository);
	return code;
}

/** Lets a command judge: 0 is good, 125 skips, 126 and more stops, anything else is bad. */
async function run(git: Invocation, command: string[]): Promise<number> {
	if (command.length === 0) throw new GitError('error: bisect run failed: no command provided.', 1);
	const shown = command.map((word) => shellWord(word).replaceAll('!', "'\\!'")).join(' ');
	for (;;) {
		const state = readBisect(git.repository);
		if (!state || state.bad === null || state.good.length === 0) {
			throw new GitError('error: bisect run cannot continue any more', 1);
		}
		git.out(`running  ${shown}\n`);
		git.flush();
		const { sync, env } = git.context;
		// As a shell would find it: a program, or one of its own commands.
		const result = sync.run({ argv: ['sh', '-c', '"$@"', 'sh', ...command], cwd: git.cwd, env, stdin: 'null' });
		git.out(result.stdout);
		if (result.stderr.length > 0) {
			git.flush();
			sync.write(2, result.stderr);
		}
		if (result.code >= 126) {
			throw new GitError(`error: bisect run failed: exit code ${result.code} from ${shown} is < 0 or >= 128`, 1);
		}
		// The command may have changed what git knew of the files.
		git.repository.reopenIndex();
		judge(git, state, result.code === 0 ? 'good' : result.code === CANNOT_TEST ? 'skip' : 'bad', ['HEAD']);
		const code = await next(git);
		if (code === FOUND) {
			git.out('bisect found first bad commit');
			return 0;
		}
		if (code !== 0) {
			git.err(code === 2 ? 'error: bisect run cannot continue any more\n' : '');
			return code;
		}
	}
}
