import { UsageAsked } from '../options.ts';
import { shellWord } from '#environment/shell-word.ts';
import { absolute } from '#computer/abi/paths.ts';
import { decode, encode } from '../bytes.ts';
import { runChild } from '../child.ts';
import { failure, fatal, GitError } from '../errors.ts';
import { parseRange, walkHistory } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { findRevision, peel } from '../refs/revision.ts';
import {
	appendLog,
	chooseTerms,
	chosenTerms,
	endBisect,
	markCommit,
	readBisect,
	type Bisect,
	type Verdict
} from '../sequence/bisect-state.ts';
import { forget } from '../sequence/replay.ts';
import { shellWords } from '../shell-words.ts';
import { checkOut, OUTCOME, stepAnyway, stepOn } from './bisect-next.ts';
import { checkout } from './checkout.ts';
import { log } from './log.ts';

const USAGE = 'usage: git bisect [help|start|bad|good|new|old|terms|skip|next|reset|visualize|view|replay|log|run]';
/** Exit code of the command of `run` for a commit that cannot be tested. */
const CANNOT_TEST = 125;
/** Exit codes of a shell that could not run the command. */
const CANNOT_RUN = [126, 127];

const NOT_STARTED = 'You need to start by "git bisect start"\n';

/** `git bisect`: finds the commit that introduced a bug by binary search. */
export const bisect: Command = async (git, args) => {
	const [word = '', ...rest] = args;
	if (word === '-h' || word === 'help') throw new UsageAsked(`${USAGE}\n`);
	const { repository } = git;
	if (word === 'start') return finished(await start(git, rest));
	if (word === 'reset') return reset(git, rest);
	if (word === 'replay') return finished(await replay(git, rest));
	const state = readBisect(repository);
	if (word === 'log') {
		const text = repository.note('BISECT_LOG') ?? '';
		if (text === '') throw failure('We are not bisecting.');
		git.out(text);
		return 0;
	}
	if (word === 'terms') return showTerms(git, rest);
	const isVerdict = ['bad', 'good', 'new', 'old', state?.terms.bad, state?.terms.good].includes(word);
	if (!isVerdict && !['run', 'next', 'skip', 'visualize', 'view'].includes(word)) throw new GitError(USAGE, 1);
	if (!state) throw new GitError(NOT_STARTED, 1);
	if (word === 'run') return finished(await run(git, rest));
	if (word === 'next') return finished(await stepAnyway(git, state));
	if (word === 'visualize' || word === 'view') return visualize(git, state, rest);
	judge(git, state, word, rest);
	return finished(await stepOn(git));
};

/** Exit code of an outcome: finding the commit or having to test a merge base is a success. */
const finished = (code: number): number => (code === OUTCOME.found || code === OUTCOME.mergeBase ? 0 : code);

/** Arguments of `start`. */
interface Start {
	terms: Record<Verdict, string>;
	ids: string[];
	paths: string[];
	areTermsGiven: boolean;
	firstParent: boolean;
	isDetached: boolean;
}

function readStart(git: Invocation, args: readonly string[]): Start {
	const found: Start = {
		...{ terms: { bad: 'bad', good: 'good' }, ids: [], paths: [] },
		...{ areTermsGiven: false, firstParent: false, isDetached: git.repository.isBare }
	};
	const end = args.indexOf('--');
	let at = 0;
	for (; at < args.length && args[at] !== '--'; at++) {
		const arg = args[at] ?? '';
		const [, term, inline] = /^--term-(new|bad|old|good)(?:=(.*))?$/.exec(arg) ?? [];
		if (term !== undefined) {
			const word = inline ?? args[++at];
			if (word === undefined) throw failure("'' is not a valid term");
			found.terms[/new|bad/.test(term) ? 'bad' : 'good'] = word;
			found.areTermsGiven = true;
		} else if (arg === '--no-checkout') found.isDetached = true;
		else if (arg === '--first-parent') found.firstParent = true;
		else if (arg.startsWith('--')) throw failure(`unrecognized option: '${arg}'`);
		else {
			const id = findCommit(git, arg);
			if (id !== null) found.ids.push(id);
			else if (end >= 0) throw fatal(`'${arg}' does not appear to be a valid revision`);
			else break;
		}
	}
	found.paths = args.slice(args[at] === '--' ? at + 1 : at);
	return found;
}

async function start(git: Invocation, args: string[]): Promise<number> {
	const { repository } = git;
	const { terms, ids, paths, areTermsGiven, firstParent, isDetached } = readStart(git, args);
	const before = readBisect(repository);
	const head = repository.refs.currentBranch() ?? repository.head();
	if (head === null || repository.head() === null) throw failure('bad HEAD - I need a HEAD');
	// Restarting still returns to the original starting point.
	if (before && !isDetached && (await checkout(git, [before.start, '--'])) !== 0)
		throw failure(`checking out '${before.start}' failed. Try 'git bisect start <valid-branch>'.`);
	endBisect(repository);
	const write = (name: string, text: string) =>
		repository.files.writeFile(`${repository.gitDir}/BISECT_${name}`, encode(text));
	write('START', `${before?.start ?? head}\n`);
	if (firstParent) write('FIRST_PARENT', '\n');
	if (isDetached) repository.refs.note('BISECT_HEAD', repository.head() ?? '');
	write('NAMES', `${paths.map((path) => ` ${shellWord(path)}`).join('')}\n`);
	write('LOG', '');
	let code: number = OUTCOME.failed;
	try {
		for (const [at, id] of ids.entries()) markCommit(repository, at === 0 ? terms.bad : terms.good, id, at === 0);
		if (areTermsGiven || ids.length > 0) chooseTerms(repository, terms);
		appendLog(repository, `git bisect start${args.map((arg) => ` ${shellWord(arg)}`).join('')}\n`);
		code = await stepOn(git);
	} finally {
		if (finished(code) !== 0) endBisect(repository);
	}
	return code;
}

function findCommit(git: Invocation, text: string): string | null {
	const found = findRevision(git.repository, text);
	return found === null ? null : peel(git.repository, found, 'commit');
}

/** @throws GitError if the text does not name a commit */
function commitNamed(git: Invocation, text: string): string {
	if (findRevision(git.repository, text) === null) throw failure(`Bad rev input: ${text}`);
	const id = findCommit(git, text);
	if (id === null) throw fatal(`Bad rev input (not a commit): ${text}`);
	return id;
}

/** Terms in use. If none were chosen, the first verdict chooses them. */
function termsFor(git: Invocation, word: string): Record<Verdict, string> {
	const { repository } = git;
	const terms = chosenTerms(repository);
	if (terms) {
		if (word !== 'skip' && word !== terms.bad && word !== terms.good)
			throw failure(`Invalid command: you're currently in a ${terms.bad}/${terms.good} bisect`);
		return terms;
	}
	const chosen = word === 'new' || word === 'old' ? { bad: 'new', good: 'old' } : { bad: 'bad', good: 'good' };
	if (word !== 'skip') chooseTerms(repository, chosen);
	return chosen;
}

/** Marks commits with a verdict. @param word a term, or `skip` */
function judge(git: Invocation, state: Bisect, word: string, revisions: readonly string[]): void {
	const { repository } = git;
	const terms = termsFor(git, word);
	if (word === terms.bad && revisions.length > 1)
		throw failure(`'git bisect ${terms.bad}' can take only one argument.`);
	const named = revisions.length > 0 ? revisions : [state.isDetached ? 'BISECT_HEAD' : 'HEAD'];
	const ids = named.flatMap((text) =>
		word === 'skip' && text.includes('..')
			? [...walkHistory(repository, parseRange(repository, [text]))].map(({ id }) => id)
			: [commitNamed(git, text)]
	);
	for (const id of ids) {
		markCommit(repository, word, id, word === terms.bad);
		appendLog(repository, `git bisect ${word} ${id}\n`);
		if (repository.note('BISECT_EXPECTED_REV')?.trim() !== id)
			forget(repository, 'BISECT_ANCESTORS_OK', 'BISECT_EXPECTED_REV');
	}
}

function showTerms(git: Invocation, [option]: readonly string[]): number {
	const terms = chosenTerms(git.repository);
	if (!terms) throw failure('no terms defined');
	if (option === undefined)
		git.out(`Your current terms are ${terms.good} for the old state\nand ${terms.bad} for the new state.\n`);
	else if (option === '--term-good' || option === '--term-old') git.out(`${terms.good}\n`);
	else if (option === '--term-bad' || option === '--term-new') git.out(`${terms.bad}\n`);
	else
		throw failure(
			`invalid argument ${option} for 'git bisect terms'.\n` +
				'Supported options are: --term-good|--term-old and --term-bad|--term-new.'
		);
	return 0;
}

/** Ends the bisection and checks out the original HEAD, or a given commit. */
async function reset(git: Invocation, [where]: readonly string[]): Promise<number> {
	const { repository } = git;
	const state = readBisect(repository);
	if (where !== undefined && findCommit(git, where) === null) throw failure(`'${where}' is not a valid commit`);
	if (where === undefined && !state) {
		git.out('We are not bisecting.\n');
		return 0;
	}
	const target = where ?? state?.start ?? 'HEAD';
	if (repository.note('BISECT_HEAD') === null) {
		const fault = failure(`could not check out original HEAD '${target}'. Try 'git bisect reset <commit>'.`);
		try {
			if ((await checkout(git, [target])) !== 0) throw fault;
		} catch (error) {
			if (!(error instanceof GitError) || error === fault) throw error;
			git.err(`${error.message}\n`);
			throw fault;
		}
	}
	endBisect(repository);
	return 0;
}

/** Repeats the commands in a bisect log. */
async function replay(git: Invocation, [name]: readonly string[]): Promise<number> {
	const { repository } = git;
	if (name === undefined) throw failure('no logfile given');
	const path = absolute(name, git.cwd);
	const stat = repository.files.statOrNull(path);
	if (!stat || stat.size === 0) throw failure(`cannot read file '${name}' for replaying`);
	const lines = decode(repository.files.readFile(path)).split('\n');
	await reset(git, []);
	for (const line of lines) {
		const [, word, rest = ''] = /^[ \t]*git[ -]bisect[ \t]+(\S+)[ \t]*(.*)$/.exec(line.replace(/\r$/, '')) ?? [];
		if (word === undefined) continue;
		if (word === 'start') {
			const code = await start(git, shellWords(rest));
			if (finished(code) !== 0) return code;
			continue;
		}
		const state = readBisect(repository);
		if (word === 'terms') showTerms(git, shellWords(rest));
		else {
			if (!state) throw new GitError(NOT_STARTED, 1);
			const terms = termsFor(git, word);
			if (![terms.bad, terms.good, 'skip'].includes(word)) throw failure(`'${word}'?? what are you talking about?`);
			markCommit(repository, word, commitNamed(git, rest), word === terms.bad);
			appendLog(repository, `git bisect ${word} ${rest}\n`);
		}
	}
	return stepOn(git);
}

/** Shows the commits that are left to test. */
async function visualize(git: Invocation, { bad, good, paths }: Bisect, args: readonly string[]): Promise<number> {
	if (bad === null || good.length === 0) return 1;
	const options = args[0] === 'log' ? args.slice(1) : args;
	return log(git, [...options, bad, ...good.map((id) => `^${id}`), '--', ...paths]);
}

/** Lets a command test each commit: exit code 0 is good, 125 skips, 128 and above stops, any other is bad. */
async function run(git: Invocation, command: string[]): Promise<number> {
	if (command.length === 0) throw failure('bisect run failed: no command provided.');
	const { repository } = git;
	const shown = command.map((word) => ` ${shellWord(word).replaceAll('!', "'\\!'")}`).join('');
	for (let isFirst = true; ; isFirst = false) {
		const state = readBisect(repository);
		if (!state || state.bad === null || state.good.length === 0) return OUTCOME.failed;
		const code = test(git, shown);
		if (isFirst && CANNOT_RUN.includes(code) && !(await isGoodRun(git, state, shown, code))) return OUTCOME.failed;
		if (code >= 128) {
			git.err(`error: bisect run failed: exit code ${code} from '${shown}' is < 0 or >= 128\n`);
			return code;
		}
		const { terms } = state;
		judge(git, state, code === 0 ? terms.good : code === CANNOT_TEST ? 'skip' : terms.bad, []);
		const outcome = await stepOn(git);
		if (outcome === OUTCOME.next) continue;
		if (outcome === OUTCOME.onlySkipped) git.err('error: bisect run cannot continue any more\n');
		else if (outcome === OUTCOME.mergeBase) git.out('bisect run success');
		else if (outcome === OUTCOME.found) git.out('bisect found first bad commit');
		return outcome;
	}
}

/** Runs the command. Returns its exit code. */
function test(git: Invocation, command: string): number {
	git.out(`running ${command}\n`);
	const code = runChild(git, command, [], { cwd: git.cwd });
	// The command may have changed the index.
	git.repository.reopenIndex();
	return code;
}

/** Returns false and reports it if the command cannot be run on a known good commit either. */
async function isGoodRun(git: Invocation, state: Bisect, command: string, code: number): Promise<boolean> {
	const { repository } = git;
	const [good] = state.good;
	const now = state.isDetached ? repository.refs.resolve('BISECT_HEAD') : repository.head();
	if (good === undefined || now === null || !(await checkOut(git, good, state.isDetached))) {
		git.err(`error: unable to verify '${command}' on good revision\n`);
		return false;
	}
	const other = test(git, command);
	await checkOut(git, now, state.isDetached);
	if (other !== code) return true;
	git.err(`error: bogus exit code ${code} for good revision\n`);
	return false;
}
