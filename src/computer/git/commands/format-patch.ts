import { absolute, dirname } from '#computer/abi/paths.ts';
import { encode } from '../bytes.ts';
import { binaryBytes, binaryText } from '../diff/lines.ts';
import { DIFF_OPTIONS, diffFormat } from '../diff/options.ts';
import { printChanges, countChange } from '../diff/print.ts';
import { failure, fatal } from '../errors.ts';
import { signedOff } from '../history/trailers.ts';
import { parseRange, walkHistory, type Revision } from '../history/walk.ts';
import type { Command } from '../invocation.ts';
import { writeMail } from '../mail/write-mail.ts';
import { subjectOf } from '../objects/commit.ts';
import { parseOptions } from '../options.ts';
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
		const binary = changes.find((change) => countChange(repository, change).counts === null);
		if (binary)
			throw failure(`a binary file cannot be written as a patch here: ${(binary.after ?? binary.before)?.path}`, 128);
		const number = from + i;
		const place = numbered
			? ` ${String(number).padStart(String(commits.length + from - 1).length, '0')}/${commits.length + from - 1}`
			: '';
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
		const name = `${head}${fileName(subjectOf(commit.message)).slice(0, NAME_LENGTH - head.length)}.patch`;
		const shown = options.has('directory') ? `${options.get('directory')!.replace(/\/+$/, '')}/${name}` : name;
		const path = absolute(shown, git.cwd);
		git.context.sync.mkdir(dirname(path), { recursive: true });
		git.context.sync.writeFile(path, binaryBytes(mail));
		if (!options.has('quiet')) git.out(`${shown}\n`);
	}
	return 0;
};

const fileName = (subject: string) =>
	subject
		.replace(/[^\w.]+/g, '-')
		.replace(/\.{2,}/g, '.')
		.replace(/^[-.]+/, '')
		.replace(/[-.]+$/, '');
