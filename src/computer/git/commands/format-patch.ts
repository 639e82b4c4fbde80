import { absolute, dirname } from '#computer/abi/paths.ts';
import { encode } from '../bytes.ts';
import type { Change } from '../diff/change.ts';
import { binaryBytes, binaryText } from '../diff/lines.ts';
import { DIFF_OPTIONS, diffFormat } from '../diff/options.ts';
import { printChanges, countChange } from '../diff/print.ts';
import { failure, fatal } from '../errors.ts';
import { signedOff } from '../history/trailers.ts';
import { parseRange, walkHistory, type Revision } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { writeMail } from '../mail/write-mail.ts';
import { subjectOf } from '../objects/commit.ts';
import { parseOptions, type Options } from '../options.ts';
import type { Repository } from '../repository.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { VERSION } from '../version.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { firstParentChanges } from './log.ts';

/** Columns of a mail's overview. */
const WIDTH = 72;
/** Letters of a file's name without its ending. */
const NAME_LENGTH = 57;

/** `git format-patch`: a mail for each commit, as files or with `--stdout`. */
export const formatPatch: Command = (git, args) => {
	const options = parseOptions('format-patch [<options>] [<since> | <revision-range>]', args, {
		...DIFF_OPTIONS,
		stdout: '--stdout',
		directory: '-o --output-directory =',
		count: '-<number> --max-count =',
		numbered: '-n --numbered',
		unnumbered: '-N --no-numbered',
		first: '--start-number =',
		prefix: '--subject-prefix =',
		keep: '-k --keep-subject',
		reroll: '-v --reroll-count =',
		signoff: '-s --signoff',
		root: '--root',
		cover: '--cover-letter',
		noStat: '-p --no-stat',
		quiet: '-q --quiet',
		noSignature: '--no-signature',
		zeroCommit: '--zero-commit'
	});
	if (options.has('cover'))
		throw fatal('there is no cover letter here: write it into the request that takes the patches');
	const { repository } = git;
	const { commits, changesOf } = commitsToSend(repository, options);
	const format = {
		...diffFormat(options, true),
		patch: true,
		stat: !options.has('noStat'),
		summary: !options.has('noStat'),
		width: WIDTH
	};
	const from = Number(options.get('first') ?? 1);
	const version = options.get('reroll');
	const word = `${options.get('prefix') ?? 'PATCH'}${version === undefined ? '' : ` v${version}`}`;
	const numbered = !options.has('unnumbered') && (options.has('numbered') || commits.length > 1);
	for (const [i, revision] of commits.entries()) {
		const changes = changesOf(revision);
		refuseBinary(repository, changes);
		const number = from + i;
		const place = numbered ? ` ${placeIn(commits.length + from - 1, number)}` : '';
		const label = options.has('keep') ? '' : `[${word}${place}]`;
		const commit = options.has('signoff')
			? { ...revision.commit, message: signedOff(git.repository, revision.commit.message) }
			: revision.commit;
		const mail =
			binaryText(encode(writeMail(revision.id, commit, label))) +
			(options.has('noStat') ? '\n' : '---\n') +
			printChanges(repository, changes, format) +
			(options.has('noSignature') ? '' : `-- \n${VERSION}\n\n`);
		if (options.has('stdout')) {
			git.out(binaryBytes(`${i > 0 ? '\n' : ''}${mail}`));
			continue;
		}
		const head = `${version === undefined ? '' : `v${version}-`}${String(number).padStart(4, '0')}-`;
		const shown = patchPath(options.get('directory'), head, subjectOf(commit.message));
		writePatch(git, shown, binaryBytes(mail));
		if (!options.has('quiet')) git.out(`${shown}\n`);
	}
	return 0;
};

/** `03/12` */
const placeIn = (last: number, number: number): string =>
	`${String(number).padStart(String(last).length, '0')}/${last}`;

function writePatch(git: Invocation, name: string, bytes: Uint8Array): void {
	const path = absolute(name, git.cwd);
	git.context.sync.mkdir(dirname(path), { recursive: true });
	git.context.sync.writeFile(path, bytes);
}

function refuseBinary(repository: Repository, changes: readonly Change[]): void {
	const binary = changes.find((change) => countChange(repository, change).counts === null);
	if (!binary) return;
	throw failure(`a binary file cannot be written as a patch here: ${(binary.after ?? binary.before)?.path}`, 128);
}

/** Commits of a range, the oldest first, without merges and those that change no named path. */
function commitsToSend(repository: Repository, options: Options<'count' | 'root' | keyof typeof DIFF_OPTIONS>) {
	const { revisions, paths } = splitRevisions(repository, options);
	const asked = revisions.length === 0 ? ['HEAD'] : revisions;
	const count = Number(options.get('count') || Infinity);
	const since = count === Infinity && asked.length === 1 && !/\.\.|^\^/.test(asked[0]!) && !options.has('root');
	const pathspec = new Pathspec(repository, paths);
	const changesOf = (revision: Revision) => firstParentChanges(repository, revision, pathspec, options);
	const commits = [...walkHistory(repository, parseRange(repository, since ? [`${asked[0]}..HEAD`] : asked))]
		.filter((revision) => revision.commit.parents.length < 2 && (paths.length === 0 || changesOf(revision).length > 0))
		.slice(0, count)
		.reverse();
	return { commits, changesOf };
}

function patchPath(directory: string | undefined, head: string, subject: string): string {
	const name = `${head}${fileName(subject).slice(0, NAME_LENGTH - head.length)}.patch`;
	return directory === undefined ? name : `${directory.replace(/\/+$/, '')}/${name}`;
}

const fileName = (subject: string) =>
	subject
		.replace(/[^\w.]+/g, '-')
		.replace(/\.{2,}/g, '.')
		.replace(/^[-.]+/, '')
		.replace(/[-.]+$/, '');
