import { absolute } from '#computer/abi/paths.ts';
import { decode } from '../bytes.ts';
import { binaryBytes } from '../diff/lines.ts';
import { choosesColor, isColorTerminal } from '../color-choice.ts';
import { driversOf } from '../diff/compared-file.ts';
import { headingOf } from '../diff/driver.ts';
import { fatal, GitError } from '../errors.ts';
import { grepColors } from '../grep/grep-colors.ts';
import { parseExpression, type Expression, type SearchWord } from '../grep/expression.ts';
import { filesOfDirectory, filesOfIndex, filesOfRevision, filesOfWorktree, type GrepFile } from '../grep/grep-files.ts';
import { Searcher, type SearchHow } from '../grep/search-file.ts';
import { lineRegex, type RegexSyntax } from '../history/regex.ts';
import type { Command, Invocation } from '../invocation.ts';
import { missingAsNull } from '../objects/store.ts';
import { parseOptions, type Options } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { findRevision } from '../refs/revision.ts';
import { Repository } from '../repository.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';

const OPTIONS = {
	number: '-n --line-number',
	noNumber: '--no-line-number',
	column: '--column',
	noColumn: '--no-column',
	ignoreCase: '-i --ignore-case',
	names: '-l --files-with-matches --name-only',
	without: '-L --files-without-match',
	count: '-c --count',
	word: '-w --word-regexp',
	invert: '-v --invert-match',
	extended: '-E --extended-regexp',
	basic: '-G --basic-regexp',
	fixed: '-F --fixed-strings',
	perl: '-P --perl-regexp',
	pattern: '-e =',
	file: '-f =',
	and: '--and',
	or: '--or',
	not: '--not',
	open: '--(',
	close: '--)',
	allMatch: '--all-match',
	cached: '--cached',
	noIndex: '--no-index',
	index: '--index',
	untracked: '--untracked',
	exclude: '--exclude-standard',
	noExclude: '--no-exclude-standard',
	maxDepth: '--max-depth =',
	recursive: '-r --recursive',
	noRecursive: '--no-recursive',
	only: '-o --only-matching',
	after: '-A --after-context =',
	before: '-B --before-context =',
	context: '-C -<number> --context =',
	showFunction: '-p --show-function',
	wholeFunction: '-W --function-context',
	noName: '-h',
	withName: '-H',
	heading: '--heading',
	breaks: '--break',
	quiet: '-q --quiet',
	zero: '-z --null',
	noText: '-I',
	text: '-a --text',
	most: '-m --max-count =',
	color: '--color ?',
	noColor: '--no-color',
	fullName: '--full-name',
	// Ignored: one thread searches, submodules are not searched, and no external program is run.
	accepted: '--no-recurse-submodules --ext-grep --no-ext-grep --no-textconv',
	threads: '--threads ='
};

type GrepOptions = Options<keyof typeof OPTIONS>;

/** Options whose value is the next argument, which is then not a parenthesis. */
const TAKES_NEXT = /^(?:-[a-zA-Z]*[efmABC]|--(?:max-count|max-depth|context|after-context|before-context|threads))$/;

/** Converts parentheses among the arguments to options. */
function withGroups(args: readonly string[]): string[] {
	const end = args.findIndex((arg, i) => arg === '--' && !TAKES_NEXT.test(args[i - 1] ?? ''));
	return args.map((arg, i) => {
		const isGroup = (arg === '(' || arg === ')') && (end < 0 || i < end) && !TAKES_NEXT.test(args[i - 1] ?? '');
		return isGroup ? `--${arg}` : arg;
	});
}

/** Prints matching lines of tracked files or of a revision's files. The exit code is 1 if no line matches. */
export const grep: Command = (git, args) => {
	const options = parseOptions(
		'grep [<options>] [-e] <pattern> [<rev>...] [[--] <path>...]',
		withGroups(args),
		OPTIONS
	);
	const { repository, isWithout } = repositoryOf(git, options);
	const words = searchWords(git, repository, options);
	const expression = parseExpression(words);
	const how = searchHow(git, repository, options, expression);
	if (how.most === 0) return 1;
	const drivers = driversOf(repository);
	const searcher = new Searcher(how, (text) => git.out(binaryBytes(text)));
	let found = false;
	for (const { file, name } of filesOf(git, repository, options, isWithout)) {
		const { headings } = drivers.of(file.path);
		const isFunction = (line: string) => headingOf(line, headings) !== null;
		if (searcher.search({ name, content: file.content, isFunction })) found = true;
		if (found && how.mode.startsWith('quiet')) break;
	}
	return found ? 0 : 1;
};

/** Returns the repository, and whether files are searched without its index (`--no-index`). */
function repositoryOf(git: Invocation, options: GrepOptions): { repository: Repository; isWithout: boolean } {
	const isAsked = options.latest('noIndex', 'index') === 'noIndex';
	try {
		return { repository: git.repository, isWithout: isAsked };
	} catch (error) {
		if (!(error instanceof GitError)) throw error;
		const none = new Repository(git.surroundings, git.cwd, '/dev/null');
		if (isAsked || none.config.flag('grep.fallbacktonoindex', false)) return { repository: none, isWithout: true };
		throw error;
	}
}

/** Regex syntax from the last of the options, or from the settings. */
function syntaxOf(repository: Repository, options: GrepOptions): RegexSyntax {
	const asked = options.latest('extended', 'basic', 'fixed', 'perl');
	if (asked !== undefined) return asked;
	const set = repository.config.get('grep.patterntype') ?? 'default';
	const names: Readonly<Record<string, RegexSyntax>> = {
		basic: 'basic',
		extended: 'extended',
		fixed: 'fixed',
		perl: 'perl'
	};
	if (set !== 'default' && names[set] === undefined) throw fatal(`bad grep.patterntype argument: ${set}`);
	return names[set] ?? (repository.config.flag('grep.extendedregexp', false) ? 'extended' : 'basic');
}

/** Patterns and operators in order. Without a pattern option, removes the first operand and uses it as the pattern. */
function searchWords(git: Invocation, repository: Repository, options: GrepOptions): SearchWord[] {
	const syntax = syntaxOf(repository, options);
	const isFolded = options.has('ignoreCase');
	const isWord = options.has('word');
	const patterns = (text: string): SearchWord[] =>
		text.split('\n').map((line) => ({ kind: 'pattern', regex: lineRegex(line, syntax, isFolded, isWord) }));
	const alternatives = (text: string): SearchWord[] => {
		const all = patterns(text);
		return all.length < 2 ? all : [{ kind: '(' }, ...all, { kind: ')' }];
	};
	const words = options
		.inOrder('pattern', 'file', 'and', 'or', 'not', 'open', 'close')
		.flatMap(({ name, value }): SearchWord[] => {
			if (name === 'pattern') return alternatives(value);
			if (name === 'file') return patternLines(git, value).flatMap(patterns);
			return [{ kind: name === 'open' ? '(' : name === 'close' ? ')' : name }];
		});
	if (options.has('pattern') || options.has('file')) return words;
	const pattern = options.operands.shift() ?? firstPath(options);
	if (pattern === undefined) throw fatal('no pattern given');
	return [...words, ...alternatives(pattern)];
}

/** Pattern given after `--`; the arguments after it may contain another `--`. */
function firstPath(options: GrepOptions): string | undefined {
	const [pattern, ...rest] = options.paths ?? [];
	const end = rest.indexOf('--');
	options.operands.push(...(end < 0 ? rest : rest.slice(0, end)));
	options.paths = end < 0 ? null : rest.slice(end + 1);
	return pattern;
}

function patternLines(git: Invocation, name: string): string[] {
	const bytes = name === '-' ? git.input() : missingAsNull(() => git.context.sync.readFile(absolute(name, git.cwd)));
	if (!bytes) throw fatal(`cannot open '${name}': No such file or directory`);
	return decode(bytes)
		.split('\n')
		.filter((line) => line !== '');
}

function searchHow(git: Invocation, repository: Repository, options: GrepOptions, expression: Expression): SearchHow {
	const { config } = repository;
	const number = (name: 'context' | 'after' | 'before' | 'most', otherwise: number) => {
		const text = options.get(name);
		if (text === undefined) return otherwise;
		if (!/^-?\d+$/.test(text))
			throw new GitError(`error: option \`${name === 'most' ? 'max-count' : name}' expects a numerical value`, 129);
		return Number(text);
	};
	const most = number('most', -1);
	const context = number('context', 0);
	const chosen = (on: 'number' | 'column', off: 'noNumber' | 'noColumn', key: string) =>
		(options.latest(on, off) ?? (config.flag(key, false) ? on : off)) === on;
	const color = options.latest('color', 'noColor');
	const wanted = color === 'noColor' ? null : color === 'color' ? (options.get('color') ?? '') : undefined;
	const isTerminal = () => isColorTerminal(git);
	return {
		expression,
		inverts: options.has('invert'),
		needsAll: options.has('allMatch'),
		mode: modeOf(options),
		number: chosen('number', 'noNumber', 'grep.linenumber'),
		column: chosen('column', 'noColumn', 'grep.column'),
		before: number('before', context),
		after: number('after', context),
		showsFunction: options.has('showFunction'),
		wholeFunction: options.has('wholeFunction'),
		most: most < 0 ? Infinity : most,
		heading: options.has('heading'),
		breaks: options.has('breaks'),
		showsName: options.latest('noName', 'withName') !== 'noName',
		zero: options.has('zero'),
		binary: options.has('noText') ? 'skip' : options.has('text') ? 'text' : 'name',
		colors: choosesColor(config, wanted, ['color.grep', 'color.ui'], isTerminal) ? grepColors(config) : null
	};
}

function modeOf(options: GrepOptions): SearchHow['mode'] {
	if (options.has('without')) return options.has('quiet') ? 'quiet without' : 'without';
	if (options.has('quiet')) return 'quiet';
	if (options.has('names')) return 'names';
	if (options.has('count')) return 'count';
	return options.has('only') ? 'parts' : 'lines';
}

/** Files to be searched, with their displayed names. */
function* filesOf(
	git: Invocation,
	repository: Repository,
	options: GrepOptions,
	isWithout: boolean
): Generator<{ file: GrepFile; name: string }> {
	const shown = (path: string) => (options.has('zero') ? path : quotePath(path));
	if (isWithout) {
		for (const file of filesBeside(git, repository, options)) yield { file, name: shown(file.path) };
		return;
	}
	const { revisions, paths } = splitRevisions(repository, options);
	if (options.has('untracked') && revisions.length > 0)
		throw fatal('--no-index or --untracked cannot be used with revs');
	const given = paths.length === 0 && repository.prefix !== '' ? ['.'] : paths;
	const pathspec = new Pathspec(repository, given, true);
	const isNear = depthTest(pathspec, options);
	const isWanted = ({ path }: GrepFile) => pathspec.matches(path) && isNear(path);
	const local = (path: string) => (options.has('fullName') ? path : repository.toCwd(path));
	for (const revision of revisions) {
		// A revision that names a blob has no path.
		const found = filesOfRevision(repository, revision).filter((file) => file.path === '' || isWanted(file));
		prefetchContents(repository, found);
		const separator = revision.includes(':') ? '/' : ':';
		for (const file of found)
			yield { file, name: file.path === '' ? revision : `${revision}${separator}${shown(local(file.path))}` };
	}
	if (revisions.length > 0) return;
	const others = !options.has('untracked')
		? 'none'
		: options.latest('exclude', 'noExclude') === 'noExclude'
			? 'all'
			: 'visible';
	const files = options.has('cached') ? filesOfIndex(repository) : filesOfWorktree(repository, others);
	const wanted = files.filter(isWanted);
	prefetchContents(repository, wanted);
	for (const file of wanted) yield { file, name: shown(local(file.path)) };
}

function filesBeside(git: Invocation, repository: Repository, options: GrepOptions): GrepFile[] {
	const { operands, paths } = options;
	const isRevision = (text: string) => repository.gitDir !== '/dev/null' && findRevision(repository, text) !== null;
	if (paths !== null && operands.some(isRevision)) throw fatal('--no-index or --untracked cannot be used with revs');
	const given = [...operands, ...(paths ?? [])];
	const missing =
		paths === null ? given.find((path) => git.context.sync.statOrNull(absolute(path, git.cwd)) === null) : undefined;
	if (missing !== undefined)
		throw fatal(
			`${missing}: no such path in the working tree.\nUse 'git <command> -- <path>...' to specify paths that do not exist locally.`
		);
	const below = given.length === 0 ? [''] : given;
	return filesOfDirectory(git, git.cwd, below, options.latest('exclude', 'noExclude') === 'exclude');
}

const prefetchContents = ({ objects }: Repository, files: readonly GrepFile[]): void =>
	objects.prefetch(files.flatMap(({ id }) => id ?? []));

/** Returns a test whether a path is within `--max-depth` of its pathspec; globs match at any depth. */
function depthTest(pathspec: Pathspec, options: GrepOptions): (path: string) => boolean {
	const last = options.latest('maxDepth', 'recursive', 'noRecursive');
	const depth = last === 'noRecursive' ? 0 : last === 'maxDepth' ? Number(options.get('maxDepth')) : -1;
	if (depth < 0) return () => true;
	const tops = pathspec.items.length === 0 ? [''] : pathspec.items.map(({ path }) => path);
	return (path) =>
		tops.some((top) => {
			if (/[*?[]/.test(top)) return true;
			if (path === top) return true;
			const start = top === '' ? '' : `${top}/`;
			return path.startsWith(start) && path.slice(start.length).split('/').length - 1 <= depth;
		});
}
