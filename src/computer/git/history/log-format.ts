import { wantsColor } from '../color-choice.ts';
import { booleanOf } from '../config/values.ts';
import { DIFF_OPTIONS } from '../diff/options.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { lineWidth } from '../listing/columns.ts';
import { NOTES_OPTIONS, shownNotes } from '../notes/shown-notes.ts';
import type { Options } from '../options.ts';
import { formatDate } from './dates.ts';
import { Decorations } from './decorations.ts';
import type { LogFormat } from './commit-format.ts';
import { outputEncoding } from './format.ts';
import { prettyFormat } from './pretty-name.ts';

/** Options common to `log` and `show`. */
export const LOG_OPTIONS = {
	...DIFF_OPTIONS,
	oneline: '--oneline',
	format: '--format =',
	pretty: '--pretty ?',
	abbreviate: '--abbrev-commit',
	noAbbreviate: '--no-abbrev-commit',
	date: '--date =',
	relativeDate: '--relative-date',
	digits: '--abbrev ?',
	decorate: '--decorate ? !',
	decorateRefs: '--decorate-refs = !',
	decorateRefsExclude: '--decorate-refs-exclude = !',
	clearDecorations: '--clear-decorations',
	mailmap: '--mailmap --use-mailmap !',
	tabs: '--expand-tabs ? !',
	encoding: '--encoding =',
	size: '--log-size',
	...NOTES_OPTIONS
};

/** Removes the ref filters that `--clear-decorations` resets. */
export function withoutCleared(args: readonly string[]): string[] {
	const last = args.lastIndexOf('--clear-decorations');
	return args.filter((arg, at) => at >= last || !/^--decorate-refs(?:-exclude)?=/.test(arg));
}

type LogOptions = Options<keyof typeof LOG_OPTIONS>;

/** Commit format by options and settings. @throws GitError for an unknown format */
export function logFormat(git: Invocation, options: LogOptions): LogFormat {
	const { repository } = git;
	const { config } = repository;
	const isOneline = options.has('oneline');
	const given = givenFormat(options);
	const pretty = prettyFormat(repository, given ?? (isOneline ? 'oneline' : (config.get('format.pretty') ?? 'medium')));
	const asked = options.has('relativeDate') ? 'relative' : options.get('date');
	const date = asked ?? pretty.date ?? config.get('log.date') ?? 'default';
	const sample = { name: '', email: '', seconds: 0, offsetMinutes: 0 };
	if (formatDate(sample, date, 0) === null) throw fatal(`unknown date format ${date}`);
	const digits = Number(options.get('digits') || NaN);
	// The raw format is read by scripts, so settings do not affect it.
	const isSet = config.flag('log.abbrevcommit', false) && pretty.name !== 'raw';
	const isShort = options.has('abbreviate') || isSet || isOneline;
	const color = options.has('noColor') ? 'never' : options.get('color');
	const tabs = options.get('tabs');
	return {
		...pretty,
		...decorated(git, options, given === 'raw'),
		abbreviate: isShort && !options.has('noAbbreviate'),
		date,
		isDateAsked: asked !== undefined,
		digits: options.has('noAbbrev') || digits === 0 ? 40 : Number.isNaN(digits) ? undefined : digits,
		isColored: wantsColor(git, 'diff', color),
		isMapped: options.isTakenBack('mailmap')
			? options.has('mailmap')
			: options.has('mailmap') || config.flag('log.mailmap', true),
		tabs: options.isTakenBack('tabs') && tabs === undefined ? 0 : tabs === undefined ? undefined : Number(tabs || 8),
		columns: lineWidth(git),
		encoding: outputEncoding(repository, options.get('encoding')),
		showsSize: options.has('size'),
		// An explicit format shows notes only if it includes them.
		notes: shownNotes(repository, options, (given === undefined && !isOneline) || /%[-+ ]?N/.test(pretty.name))
	};
}

/** Format by the last `--format` or `--pretty`; a bare `--pretty` means `medium`. Undefined without them. */
export function givenFormat(options: Options<'format' | 'pretty'>): string | undefined {
	const last = options.latest('format', 'pretty');
	return last === 'pretty' ? options.get('pretty') || 'medium' : options.get('format');
}

/** Decorations by `--decorate`, then by `log.decorate`; by default only on a terminal. */
function decorated(git: Invocation, options: LogOptions, isRaw: boolean): Pick<LogFormat, 'decorate' | 'decorations'> {
	const { repository } = git;
	const setting = repository.config.all().findLast(({ key }) => key === 'log.decorate');
	const set = isRaw ? 'no' : setting?.isBare ? 'short' : setting?.value;
	const word = options.has('decorate')
		? options.get('decorate') || 'short'
		: options.isTakenBack('decorate')
			? 'no'
			: (set ?? 'auto');
	const flag = booleanOf(word);
	if (flag === null && !['full', 'short', 'auto'].includes(word)) throw fatal(`invalid --decorate option: ${word}`);
	const filter = {
		wanted: options.all('decorateRefs'),
		unwanted: options.all('decorateRefsExclude'),
		isWhole: options.has('clearDecorations')
	};
	return {
		decorate: word === 'auto' ? git.context.sync.isTerminal(1) : flag !== false,
		decorations: new Decorations(repository, filter, word === 'full')
	};
}
