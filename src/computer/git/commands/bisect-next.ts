import { encode } from '../bytes.ts';
import { GitError } from '../errors.ts';
import { isAncestor, mergeBasesOfAll, walkHistory } from '../history/walk.ts';
import type { Invocation } from '../invocation.ts';
import { candidates, chooseNext, stepsLeft, type Choice } from '../sequence/bisect-choice.ts';
import { appendLog, readBisect, titled, type Bisect } from '../sequence/bisect-state.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { checkout } from './checkout.ts';
import { show } from './show.ts';

/** Outcome of a step. The values are exit codes, except that `found` and `mergeBase` become 0. */
export const OUTCOME = {
	next: 0,
	found: 10,
	mergeBase: 11,
	failed: 1,
	onlySkipped: 2,
	badBase: 3,
	nothing: 4
} as const;

type Outcome = (typeof OUTCOME)[keyof typeof OUTCOME];

/** Checks out the next commit or reports the first bad one, once a good and a bad commit are known. */
export async function stepOn(git: Invocation): Promise<number> {
	const { repository } = git;
	const state = readBisect(repository);
	if (!state) return OUTCOME.failed;
	const { bad, good } = state;
	if (bad !== null && good.length > 0) return await chooseAndTest(git, state, bad);
	// Like git, say "good" and "bad" here even if other terms were chosen.
	const known = `${good.length} good commit${good.length > 1 ? 's' : ''} known`;
	const waiting = good.length > 0 ? `bad commit, ${known}` : 'both good and bad commits';
	const status = `status: waiting for ${bad === null ? waiting : 'good commit(s), bad commit known'}\n`;
	git.out(status);
	appendLog(repository, `# ${status}`);
	return OUTCOME.next;
}

/** Like {@link stepOn}, but a bad commit is enough. @throws GitError if no bad commit is known */
export async function stepAnyway(git: Invocation, state: Bisect): Promise<number> {
	if (state.bad === null)
		throw new GitError(
			'error: You need to give me at least one bad|new and good|old revision.\n' +
				'You can use "git bisect bad|new" and "git bisect good|old" for that.',
			1
		);
	if (state.good.length === 0) git.err(`warning: bisecting only with a ${state.terms.bad} commit\n`);
	return await chooseAndTest(git, state, state.bad);
}

async function chooseAndTest(git: Invocation, state: Bisect, bad: string): Promise<number> {
	const { repository } = git;
	const { terms, skipped } = state;
	const base = await checkBases(git, state, bad);
	if (base !== null) return base;
	const paths = state.paths.length > 0 ? new Pathspec(repository, state.paths) : null;
	const left = candidates(repository, { bad, good: state.good, paths, firstParent: state.firstParent });
	if (left.length === 0) {
		if (state.good.includes(bad)) {
			git.out(`${bad} was both ${terms.good} and ${terms.bad}\n`);
			return OUTCOME.failed;
		}
		git.err('No testable commit found.\nMaybe you started with bad path arguments?\n');
		return OUTCOME.nothing;
	}
	const chosen = chooseNext(left, skipped, bad);
	if (chosen === null || (chosen.id === bad && chosen.untested.length > 0))
		return onlySkipped(git, state, bad, chosen?.untested ?? left.map(({ id }) => id));
	if (chosen.id !== bad) return await test(git, state, chosen, left.length);
	git.out(`${bad} is the first ${terms.bad} commit\n`);
	appendLog(repository, `# first ${terms.bad} commit: ${titled(repository, bad)}\n`);
	await show(git, ['--stat', '--summary', '--format=medium', bad]);
	return OUTCOME.found;
}

async function test(git: Invocation, state: Bisect, chosen: Choice, total: number): Promise<Outcome> {
	const revisions = total - chosen.weight - 1;
	const steps = stepsLeft(total);
	git.out(
		`Bisecting: ${revisions} revision${revisions === 1 ? '' : 's'} left to test after this (roughly ${steps} step${steps === 1 ? '' : 's'})\n`
	);
	return (await checkOut(git, chosen.id, state.isDetached)) ? OUTCOME.next : OUTCOME.failed;
}

/** Checks out a commit for testing. Returns false if the checkout fails. */
export async function checkOut(git: Invocation, id: string, isDetached: boolean): Promise<boolean> {
	const { repository } = git;
	git.flush();
	repository.files.writeFile(`${repository.gitDir}/BISECT_EXPECTED_REV`, encode(`${id}\n`));
	if (isDetached) repository.refs.note('BISECT_HEAD', id);
	else if (!(await isDone(git, () => checkout(git, ['-q', '--detach', id])))) return false;
	git.out(`${titled(repository, id)}\n`);
	return true;
}

async function isDone(git: Invocation, act: () => number | Promise<number>): Promise<boolean> {
	try {
		return (await act()) === 0;
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		git.err(`${error.message}\n`);
		return false;
	}
}

function onlySkipped(git: Invocation, { terms, good }: Bisect, bad: string, untested: readonly string[]): Outcome {
	const { repository } = git;
	git.out(`There are only 'skip'ped commits left to test.\nThe first ${terms.bad} commit could be any of:\n`);
	git.out(`${[...new Set([...untested, bad])].join('\n')}\nWe cannot bisect more!\n`);
	appendLog(repository, '# only skipped commits left to test\n');
	for (const { id } of walkHistory(repository, { include: [bad], exclude: [...good] }))
		appendLog(repository, `# possible first ${terms.bad} commit: ${titled(repository, id)}\n`);
	return OUTCOME.onlySkipped;
}

const ANCESTORS_OK = 'BISECT_ANCESTORS_OK';

/** Checks that good commits are ancestors of the bad one, or that their merge bases are good. Returns null if so. */
async function checkBases(git: Invocation, state: Bisect, bad: string): Promise<Outcome | null> {
	const { repository } = git;
	const { good, skipped, terms } = state;
	if (repository.note(ANCESTORS_OK) !== null || good.length === 0) return null;
	if (good.some((id) => !isAncestor(repository, id, bad))) {
		for (const base of mergeBasesOfAll(repository, bad, good)) {
			if (base === bad) return badBase(git, state, bad);
			if (good.includes(base)) continue;
			if (skipped.has(base)) {
				git.err(
					`warning: the merge base between ${bad} and [${good.join(' ')}] must be skipped.\n` +
						`So we cannot be sure the first ${terms.bad} commit is between ${base} and ${bad}.\nWe continue anyway.\n`
				);
				continue;
			}
			git.out('Bisecting: a merge base must be tested\n');
			return (await checkOut(git, base, state.isDetached)) ? OUTCOME.mergeBase : OUTCOME.failed;
		}
	}
	repository.files.writeFile(`${repository.gitDir}/${ANCESTORS_OK}`, new Uint8Array(0));
	return null;
}

function badBase(git: Invocation, { good, terms }: Bisect, bad: string): Outcome {
	const isExpected = git.repository.note('BISECT_EXPECTED_REV')?.trim() === bad;
	if (!isExpected) {
		git.err(
			`Some ${terms.good} revs are not ancestors of the ${terms.bad} rev.\ngit bisect cannot work properly in this case.\n` +
				`Maybe you mistook ${terms.good} and ${terms.bad} revs?\n`
		);
		return OUTCOME.failed;
	}
	const between = `between ${bad} and [${good.join(' ')}].\n`;
	const what =
		terms.bad === 'bad' && terms.good === 'good'
			? 'This means the bug has been fixed '
			: terms.bad === 'new' && terms.good === 'old'
				? 'The property has changed '
				: `This means the first '${terms.good}' commit is `;
	git.err(`The merge base ${bad} is ${terms.bad}.\n${what}${between}`);
	return OUTCOME.badBase;
}
