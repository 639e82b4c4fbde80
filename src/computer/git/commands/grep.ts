import { decode } from '../bytes.ts';
import { binaryBytes, isBinary, splitLines } from '../diff/lines.ts';
import { fatal } from '../errors.ts';
import { chosenSyntax, lineRegex } from '../history/regex.ts';
import type { Command, Invocation } from '../invocation.ts';
import { Mode } from '#environment/mode.ts';
import { parseOptions } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { peel, resolveRevision } from '../refs/revision.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { contentOf } from '../worktree/file-state.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { scanRepository } from '../worktree/scan.ts';
import { treeFiles } from '../worktree/tree-files.ts';

const OPTIONS = {
	number: '-n --line-number',
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
	cached: '--cached',
	untracked: '--untracked',
	only: '-o --only-matching',
	after: '-A --after-context =',
	before: '-B --before-context =',
	context: '-C --context =',
	noName: '-h',
	withName: '-H',
	heading: '--heading',
	breaks: '--break',
	quiet: '-q --quiet',
	zero: '-z --null',
	noText: '-I',
	most: '-m --max-count =',
	color: '--color --no-color ?',
	fullName: '--full-name'
};

interface Source {
	name: string;
	content: () => Uint8Array | null;
}

/** Prints lines of tracked files, or of a commit's, that match. Exit code 1 when none does. */
export const grep: Command = (git, args) => {
	const options = parseOptions('grep [<options>] [-e] <pattern> [<rev>...] [[--] <path>...]', args, OPTIONS);
	const { repository } = git;
	const patterns = options.all('pattern');
	if (patterns.length === 0) {
		const first = options.operands.shift();
		if (first === undefined) throw fatal('no pattern given');
		patterns.push(first);
	}
	const syntax = chosenSyntax(options);
	const flags = options.has('ignoreCase') ? 'gi' : 'g';
	const regexes = patterns.map((text) => new RegExp(lineRegex(text, syntax, false, options.has('word')).source, flags));
	const { revisions, paths } = splitRevisions(repository, options);
	const given = paths.length === 0 && repository.prefix !== '' ? ['.'] : paths;
	const pathspec = new Pathspec(repository, given);
	const context = Number(options.get('context') ?? 0);
	const how: How = {
		matches: (line) => regexes.some((regex) => ((regex.lastIndex = 0), regex.test(line))) !== options.has('invert'),
		parts: (line) =>
			regexes
				.flatMap((regex) => [...line.matchAll(new RegExp(regex))].map(([part]) => part))
				.filter((part) => part !== ''),
		number: options.has('number'),
		mode: options.has('quiet')
			? 'quiet'
			: options.has('names')
				? 'names'
				: options.has('without')
					? 'without'
					: options.has('count')
						? 'count'
						: options.has('only')
							? 'parts'
							: 'lines',
		before: Number(options.get('before') ?? context),
		after: Number(options.get('after') ?? context),
		most: Number(options.get('most') ?? Infinity),
		heading: options.has('heading'),
		breaks: options.has('breaks'),
		noName: options.has('noName'),
		noText: options.has('noText'),
		end: options.has('zero') ? '\0' : '\n'
	};
	const shownName = (path: string, revision: string) => {
		const name = options.has('fullName') ? path : repository.toCwd(path);
		const quoted = options.has('zero') ? name : quotePath(name);
		return revision === '' ? quoted : `${revision}:${quoted}`;
	};
	const sources = [...(revisions.length > 0 ? revisions : [''])].flatMap((revision) =>
		filesOf(git, revision, options.has('cached'), options.has('untracked'))
			.filter(({ name }) => pathspec.matches(name))
			.map(({ name, content }) => ({ name: shownName(name, revision), content }))
	);
	const printer = { groups: 0, files: 0 };
	let found = false;
	for (const source of sources) {
		if (searchFile(git, source, how, printer)) found = true;
		if (found && how.mode === 'quiet') break;
	}
	return found ? 0 : 1;
};

function filesOf(git: Invocation, revision: string, cached: boolean, untracked: boolean): Source[] {
	const { repository } = git;
	const { objects, files } = repository;
	if (revision !== '') {
		const tree = peel(repository, resolveRevision(repository, revision), 'tree');
		if (tree === null) throw fatal(`unable to resolve revision: ${revision}`);
		return [...treeFiles(objects, tree)]
			.filter(([, { mode }]) => mode !== Mode.commit)
			.map(([name, { id }]) => ({ name, content: () => objects.read(id, 'blob') }));
	}
	const tracked = repository.index.entries().filter(({ stage, mode }) => stage === 0 && mode !== Mode.commit);
	if (cached) return tracked.map(({ path, id }) => ({ name: path, content: () => objects.read(id, 'blob') }));
	const names = untracked
		? [...new Set([...tracked.map(({ path }) => path), ...scanRepository(repository).visible])].sort()
		: tracked.map(({ path }) => path);
	return names.map((name) => ({
		name,
		content: () => {
			const stat = lstatOrNull(repository, repository.absolute(name));
			return stat?.kind === 'file' ? contentOf(files, repository.absolute(name), stat) : null;
		}
	}));
}

interface How {
	matches(line: string): boolean;
	parts(line: string): string[];
	number: boolean;
	mode: 'quiet' | 'names' | 'without' | 'count' | 'parts' | 'lines';
	before: number;
	after: number;
	most: number;
	heading: boolean;
	breaks: boolean;
	noName: boolean;
	noText: boolean;
	end: string;
}

function searchFile(
	git: Invocation,
	{ name, content }: Source,
	how: How,
	printed: { groups: number; files: number }
): boolean {
	const bytes = content();
	if (!bytes) return false;
	const binary = isBinary(bytes);
	if (binary && how.noText) return false;
	const raw = splitLines(bytes);
	const lines = raw.map((line) => decode(binaryBytes(line.replace(/\n$/, ''))));
	const hits: number[] = [];
	for (let i = 0; i < lines.length && hits.length < how.most; i++) if (how.matches(lines[i]!)) hits.push(i);
	if (how.mode === 'without') {
		if (hits.length === 0) git.out(name + how.end);
		return hits.length === 0;
	}
	if (hits.length === 0) return false;
	if (how.mode === 'names') git.out(name + how.end);
	else if (how.mode === 'count') git.out(`${how.noName ? '' : `${name}:`}${hits.length}\n`);
	if (how.mode !== 'parts' && how.mode !== 'lines') return true;
	if (binary) {
		git.out(`Binary file ${name} matches\n`);
		return true;
	}
	if (how.breaks && printed.files++ > 0) git.out('\n');
	if (how.heading && !how.noName) git.out(`${name}\n`);
	const print = (at: number, sign: string, text: string) => {
		const file = how.noName || how.heading ? '' : `${name}${sign}`;
		git.out(`${file}${how.number ? `${at + 1}${sign}` : ''}${text}\n`);
	};
	if (how.mode === 'parts') {
		for (const at of hits) for (const part of how.parts(lines[at]!)) print(at, ':', part);
		return true;
	}
	const wanted = new Set(hits);
	let last = -1;
	for (const at of hits) {
		const from = Math.max(last + 1, at - how.before);
		const grouped = how.before > 0 || how.after > 0;
		if (grouped && (last < 0 ? printed.groups > 0 : from > last + 1)) git.out('--\n');
		printed.groups++;
		for (let i = from; i <= Math.min(at + how.after, lines.length - 1); i++) {
			if (i > at && wanted.has(i)) break;
			print(i, wanted.has(i) ? ':' : '-', lines[i]!);
			last = i;
		}
	}
	return true;
}
