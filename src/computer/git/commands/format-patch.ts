import { absolute, dirname } from '#computer/abi/paths.ts';
import { encode } from '../bytes.ts';
import { booleanOf } from '../config/values.ts';
import { binaryBytes, binaryText, nameText } from '../diff/lines.ts';
import { DIFF_OPTIONS, diffFormat, formatHow, NOTHING, showsChanges } from '../diff/options.ts';
import type { DiffFormat } from '../diff/format.ts';
import { printChanges } from '../diff/print.ts';
import { fatal, GitError } from '../errors.ts';
import { sanitizedSubject } from '../history/sanitized-subject.ts';
import { signedOnce } from '../history/trailers.ts';
import type { Revision } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { coverLetter, coverMode, type CoverMode } from '../mail/cover-letter.ts';
import { FIELD_OPTIONS, mailFields } from '../mail/mail-fields.ts';
import { mailSignature, SIGNATURE_OPTIONS } from '../mail/mail-signature.ts';
import { automaticBase, baseText } from '../mail/patch-base.ts';
import { patchSeries, seriesArguments, SERIES_OPTIONS, type PatchSeries } from '../mail/patch-series.ts';
import { notesArguments, PREVIOUS_OPTIONS, PreviousSeries } from '../mail/previous-series.ts';
import { cleanMessageId, Thread, threadMode, type ThreadMode } from '../mail/thread.ts';
import { partsEnd, patchPart, writeMail, type MailHead } from '../mail/write-mail.ts';
import type { Signature } from '../objects/commit.ts';
import { NULL_ID } from '../objects/object.ts';
import { NOTES_OPTIONS, shownNotes, type ShownNotes } from '../notes/shown-notes.ts';
import { parseOptions, type Options } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';
import { VERSION } from '../version.ts';

/** Width of a mail's diffstat in columns. */
const WIDTH = 72;
/** Maximum length of a file name, plus one. */
const NAME_LENGTH = 64;

const OPTIONS = {
	...DIFF_OPTIONS,
	...SERIES_OPTIONS,
	...FIELD_OPTIONS,
	...SIGNATURE_OPTIONS,
	stdout: '--stdout',
	directory: '-o --output-directory =',
	output: '--output =',
	numbered: '-n --numbered',
	unnumbered: '-N --no-numbered',
	numberedFiles: '--numbered-files',
	first: '--start-number =',
	suffix: '--suffix =',
	nameLength: '--filename-max-length =',
	prefix: '--subject-prefix =',
	rfc: '--rfc',
	keep: '-k --keep-subject',
	reroll: '-v --reroll-count =',
	signoff: '-s --signoff',
	noSignoff: '--no-signoff',
	cover: '--cover-letter',
	noCover: '--no-cover-letter',
	coverFrom: '--cover-from-description =',
	onlyPatch: '-p --no-stat',
	quiet: '-q --quiet',
	zeroCommit: '--zero-commit',
	always: '--always',
	noBinary: '--no-binary',
	from: '--from ?',
	noFrom: '--no-from',
	inBodyFrom: '--force-in-body-from',
	noInBodyFrom: '--no-force-in-body-from',
	encodes: '--encode-email-headers',
	noEncodes: '--no-encode-email-headers',
	thread: '--thread ?',
	noThread: '--no-thread',
	replyTo: '--in-reply-to =',
	attach: '--attach ?',
	inline: '--inline ?',
	noAttach: '--no-attach',
	base: '--base =',
	noBase: '--no-base',
	...PREVIOUS_OPTIONS,
	pretty: '--pretty --format =',
	...NOTES_OPTIONS
};

type PatchOptions = Options<keyof typeof OPTIONS>;

/** `git format-patch`: writes a mail for each commit, to files or with `--stdout`. */
export const formatPatch: Command = (git, args) => {
	const asksUsage = args.length === 1 && args[0] === '-h';
	const given = asksUsage ? args : [...notesArguments(git.repository), ...seriesArguments(git, args)];
	const options = parseOptions('format-patch [<options>] [<since> | <revision-range>]', given, OPTIONS);
	for (const [name, spelling] of [
		['nameOnly', '--name-only'],
		['nameStatus', '--name-status'],
		['check', '--check']
	] as const)
		if (options.has(name)) throw fatal(`${spelling} does not make sense`);
	const outputs = (['stdout', 'output', 'directory'] as const).filter((name) => options.has(name));
	if (outputs.length > 1)
		throw fatal("options '--stdout', '--output', and '--output-directory' cannot be used together");
	if (options.has('numbered') && options.has('keep')) throw fatal("options '-n' and '-k' cannot be used together");
	const series = patchSeries(git.repository, options);
	const writer = new PatchWriter(git, options, series);
	writer.write();
	return 0;
};

class PatchWriter {
	readonly #format: DiffFormat;
	readonly #hasCover: boolean;
	readonly #isNumbered: boolean;
	readonly #first: number;
	readonly #fields: string;
	readonly #signature: string;
	readonly #thread: Thread;
	readonly #boundary: string | null;
	readonly #texts: string[] = [];
	#base: string;
	#notes: { shown: ShownNotes | null } | undefined;
	readonly #previous: PreviousSeries;

	constructor(
		private readonly git: Invocation,
		private readonly options: PatchOptions,
		private readonly series: PatchSeries
	) {
		const { repository } = git;
		const { config } = repository;
		const total = series.commits.length;
		this.#format = mailFormat(git, options);
		this.#first = Number(options.get('first') ?? 1);
		const cover = options.latest('cover', 'noCover');
		const setting = config.get('format.coverletter') ?? 'false';
		const isSet = setting === 'auto' ? total > 1 : booleanOf(setting) === true;
		this.#hasCover = total > 0 && (cover === undefined ? isSet : cover === 'cover');
		this.#previous = new PreviousSeries(git, options, series, this.#format);
		if (total > 0) this.#previous.check(this.#hasCover);
		this.#isNumbered = this.#choosesNumbers(total);
		this.#fields = mailFields(config, options);
		this.#signature = mailSignature(git, options);
		const { email } = repository.committer();
		const seconds = Math.floor(repository.files.now() / 1000);
		const replyTo = options.get('replyTo');
		const mode = this.#threadMode();
		const answered = replyTo === undefined ? null : cleanMessageId(replyTo);
		this.#thread = new Thread(mode, answered, `${seconds}.git.${email}`, this.#hasCover);
		this.#boundary = this.#attachment();
		this.#base = this.#baseText();
	}

	write(): void {
		const { commits } = this.series;
		if (this.#hasCover) this.#writeCover();
		for (const [i, revision] of commits.entries()) this.#writePatch(revision, this.#first + i);
		const path = this.options.get('output');
		if (path !== undefined)
			this.git.context.sync.writeFile(absolute(path, this.git.cwd), binaryBytes(this.#texts.join('')));
	}

	#choosesNumbers(total: number): boolean {
		const { options } = this;
		const setting = this.git.repository.config.get('format.numbered') ?? 'auto';
		const last = options.latest('numbered', 'unnumbered');
		if (last !== undefined) return last === 'numbered';
		if (options.has('keep')) return false;
		if (setting === 'auto') return total > 1 || this.#hasCover;
		return booleanOf(setting) === true;
	}

	#threadMode(): ThreadMode {
		const last = this.options.latest('thread', 'noThread');
		if (last === 'noThread') return null;
		if (last === 'thread') return threadMode(this.options.get('thread') ?? '');
		return threadMode(this.git.repository.config.get('format.thread') ?? 'false');
	}

	/** MIME boundary of a mail with an attachment; null if it has none. */
	#attachment(): string | null {
		const { options } = this;
		const last = options.latest('attach', 'inline', 'noAttach');
		if (last === 'noAttach') return null;
		if (last !== undefined) return options.get(last) || VERSION;
		const set = this.git.repository.config.get('format.attach');
		return set === undefined ? null : set === '' || set === 'true' ? VERSION : set;
	}

	#baseText(): string {
		const { options, series } = this;
		const { repository } = this.git;
		const last = options.latest('base', 'noBase');
		const setting = repository.config.get('format.useautobase') ?? 'false';
		if (last === 'noBase' || series.commits.length === 0) return '';
		const ids = series.commits.map(({ id }) => id);
		const given = options.get('base');
		if (last === 'base' && given !== undefined && given !== 'auto')
			return baseText(repository, resolveCommit(repository, given), ids);
		const isAsked = last === 'base';
		if (!isAsked && setting !== 'whenAble' && booleanOf(setting) !== true) return '';
		try {
			return baseText(repository, automaticBase(repository, ids), ids);
		} catch (error) {
			if (!isAsked && setting === 'whenAble' && error instanceof GitError) return '';
			throw error;
		}
	}

	#head(number: number, thread: string): MailHead {
		const { options } = this;
		const { config } = this.git.repository;
		const version = options.get('reroll');
		const word = options.get('prefix') ?? config.get('format.subjectprefix') ?? 'PATCH';
		const last = this.#first + this.series.commits.length - 1;
		const place = this.#isNumbered ? `${String(number).padStart(String(last).length, '0')}/${last}` : '';
		const name = options.has('rfc') ? (word === 'PATCH' ? 'RFC PATCH' : `RFC ${word}`) : word;
		const parts = [name, version === undefined ? '' : `v${version}`, place].filter((part) => part !== '');
		const encodes = options.latest('encodes', 'noEncodes');
		const inBody = options.latest('inBodyFrom', 'noInBodyFrom');
		return {
			label: options.has('keep') ? '' : parts.length === 0 ? '' : `[${parts.join(' ')}]`,
			thread,
			fields: this.#fields,
			sender: this.#sender(),
			namesAuthor: inBody === undefined ? config.flag('format.forceinbodyfrom', false) : inBody === 'inBodyFrom',
			encodes: encodes === undefined ? config.flag('format.encodeemailheaders', true) : encodes === 'encodes',
			escapesFrom: options.get('pretty') === 'mboxrd' || config.flag('format.mboxrd', false),
			boundary: this.#boundary,
			keepsLines: options.has('keep')
		};
	}

	/** Sender of the mails if it is not the author. */
	#sender(): Pick<Signature, 'name' | 'email'> | null {
		const { options } = this;
		const { repository } = this.git;
		const last = options.latest('from', 'noFrom');
		if (last === 'noFrom') return null;
		const setting = last === undefined ? repository.config.get('format.from') : undefined;
		const truth = setting === undefined ? null : booleanOf(setting);
		const text = last === 'from' ? (options.get('from') ?? '') : truth === true ? '' : setting;
		if (text === undefined || truth === false) return null;
		if (text === '') return repository.committer();
		const [, name, email] = /^\s*(.*?)\s*<([^<>]*)>\s*$/.exec(text) ?? [];
		if (name === undefined || email === undefined) throw fatal(`invalid ident line: ${text}`);
		return { name, email };
	}

	#writeCover(): void {
		const { git, options, series } = this;
		const { repository } = git;
		const commits = series.commits.map(({ commit }) => commit);
		const changes = series.allChanges();
		const format = { ...this.#format, patch: false, stat: true, summary: true };
		const last = series.commits.at(-1)!;
		const text = coverLetter(
			options.has('zeroCommit') ? NULL_ID : last.id,
			commits,
			{ ...repository.committer(), ...this.#sender() },
			this.#head(this.#first - 1, this.#thread.fields('cover')),
			{
				description: this.#description(),
				mode: this.#coverMode(),
				overview: changes === null ? '' : printChanges(repository, changes, format)
			}
		);
		const interdiff = this.#previous.inCover();
		const whole = binaryText(encode(text)) + interdiff + this.#takeBase() + binaryText(encode(this.#signature));
		this.#put(this.#fileName(this.#first - 1, 'cover-letter'), whole);
	}

	#coverMode(): CoverMode {
		return coverMode(
			this.options.get('coverFrom') ?? this.git.repository.config.get('format.coverfromdescription') ?? 'default'
		);
	}

	/** Description of the branch for the cover letter. */
	#description(): string {
		const { refs, config } = this.git.repository;
		const names = this.series.names.filter((text) => !text.startsWith('^'));
		const [only = 'HEAD', ...others] = names;
		const end = only.includes('..') ? only.slice(only.lastIndexOf('..') + 2) || 'HEAD' : only;
		const isTip = only.includes('..') || this.options.has('count') || this.series.names.length > 1;
		const branch = others.length > 0 ? null : end === 'HEAD' || !isTip ? refs.currentBranch() : end;
		return (branch === null ? undefined : config.get(`branch.${branch}.description`))?.replace(/\n+$/, '') ?? '';
	}

	#takeBase(): string {
		const text = this.#base;
		this.#base = '';
		return text;
	}

	#writePatch(revision: Revision, number: number): void {
		const { git, options, series } = this;
		const { repository } = git;
		const changes = series.changesOf(revision);
		const thread = this.#thread.fields(revision.id);
		const signs = options.latest('signoff', 'noSignoff');
		const isSigned = signs === undefined ? repository.config.flag('format.signoff', false) : signs === 'signoff';
		const commit = isSigned
			? { ...revision.commit, message: signedOnce(repository, revision.commit.message) }
			: revision.commit;
		const name = this.#fileName(number, firstLine(revision.commit.message));
		if (changes.length === 0 && !options.has('always')) {
			this.#put(name, '');
			return;
		}
		const id = options.has('zeroCommit') ? NULL_ID : revision.id;
		const mail = writeMail(id, commit, this.#head(number, thread));
		const interdiff = this.#hasCover ? '' : this.#previous.inPatch();
		const boundary = this.#boundary;
		const text = [
			binaryText(encode(mail)),
			this.#content(changes, name, this.#notesOn(revision) + interdiff),
			this.#takeBase(),
			boundary === null ? binaryText(encode(this.#signature)) : partsEnd(boundary)
		].join('');
		const isApart = this.#texts.length > 0 && !this.#isAfterCover(number);
		this.#put(name, text, isApart);
	}

	/** Notes of a commit as the options request, as binary text. */
	#notesOn({ id }: Revision): string {
		this.#notes ??= { shown: shownNotes(this.git.repository, this.options, false) };
		const text = this.#notes.shown?.text(id) ?? '';
		return text === '' ? '' : `${nameText(text)}\n\n`;
	}

	#isAfterCover(number: number): boolean {
		return this.#hasCover && number === this.#first;
	}

	/** Text below the message (diffstat and patch), as binary text. */
	#content(changes: ReturnType<PatchSeries['changesOf']>, name: string, interdiff: string): string {
		const { repository } = this.git;
		if (changes.length === 0) return '';
		const boundary = this.#boundary;
		const format = this.#format;
		const hasOverview = showsChanges({ ...format, patch: false }) || interdiff !== '';
		const head = hasOverview ? `---\n${interdiff}` : '\n';
		if (boundary === null) return head + printChanges(repository, changes, format);
		const kind = this.options.latest('attach', 'inline') === 'inline' ? 'inline' : 'attachment';
		const file = name.slice(name.lastIndexOf('/') + 1);
		const overview = printChanges(repository, changes, { ...format, patch: false });
		const patch = printChanges(repository, changes, { ...format, ...NOTHING, patch: true });
		return `${head}${overview}\n${patchPart(boundary, file, kind)}${patch}`;
	}

	#fileName(number: number, subject: string): string {
		const { options } = this;
		const { config } = this.git.repository;
		const suffix = options.get('suffix') ?? config.get('format.suffix') ?? '.patch';
		const length = Number(options.get('nameLength') ?? config.get('format.filenamemaxlength') ?? NAME_LENGTH);
		const version = options.get('reroll');
		const head = `${version === undefined ? '' : `v${sanitizedSubject(version)}-`}${String(number).padStart(4, '0')}-`;
		const name = options.has('numberedFiles')
			? String(number)
			: (head + sanitizedSubject(subject)).slice(0, Math.max(0, length - suffix.length - 1)) + suffix;
		const directory = options.get('directory') ?? config.get('format.outputdirectory');
		const isInPlace = directory === undefined || options.has('stdout') || options.has('output');
		return isInPlace ? name : `${directory.replace(/\/+$/, '')}/${name}`;
	}

	/**
	 * Writes a mail to its output.
	 *
	 * @param text binary text
	 * @param isApart whether a blank line precedes the mail if mails share one output
	 */
	#put(name: string, text: string, isApart = false): void {
		const { git, options } = this;
		const { sync } = git.context;
		const shown = `${isApart ? '\n' : ''}${text}`;
		if (text !== '') this.#texts.push(shown);
		if (options.has('stdout')) git.out(binaryBytes(text === '' ? '' : shown));
		if (options.has('stdout') || options.has('output')) return;
		const path = absolute(name, git.cwd);
		sync.mkdir(dirname(path), { recursive: true });
		if (sync.statOrNull(path)?.kind === 'directory')
			throw fatal(
				name.includes('cover-letter')
					? 'failed to create cover-letter file'
					: `cannot open patch file ${name}: Is a directory`
			);
		sync.writeFile(path, binaryBytes(text));
		if (!options.has('quiet')) git.out(`${name}\n`);
	}
}

/** Format of a mail's diffstat and patch. */
function mailFormat(git: Invocation, options: PatchOptions): DiffFormat {
	const how = formatHow(git, true);
	const format = diffFormat(options, false, { ...how, columns: WIDTH });
	const isPlain = !options.has('onlyPatch') && !showsChanges({ ...format, patch: false });
	return {
		...format,
		patch: true,
		stat: format.stat || isPlain,
		summary: format.summary || isPlain,
		binary: !options.has('noBinary'),
		// Mails have colors only if requested.
		colors: options.has('color') ? format.colors : null
	};
}

const firstLine = (message: string): string => message.replace(/^\n+/, '').split('\n', 1)[0]!;
