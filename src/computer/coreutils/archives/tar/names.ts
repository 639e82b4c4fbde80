import { decode } from '#computer/process/text.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import { MatchingFlags, nameExpression } from './matching.ts';
import { newStyle, SPECIFICATION } from './settings.ts';
import { type Options, parseOptions } from '../../options.ts';
import { readWhole } from '../../input/whole-file.ts';
import { type Run, TarFailure } from './run.ts';

/** Name from the command line or a file of `-T`. */
export interface Name {
	text: string;
	/** Directory set by `-C` before it. */
	directory: string;
	recursion: boolean;
	matches(member: string): boolean;
	/** Set once a matching member was found. */
	isFound: boolean;
}

/** Names from a command line, and the directory for members without one. */
export interface Names {
	list: Name[];
	directory: string;
}

/** Reads names in order, with the options that apply to the names after them. */
export class NameReader {
	readonly #names: Name[] = [];
	readonly #flags = new MatchingFlags();
	#directory: string;
	#recursion = true;
	#isNull = false;
	#isVerbatim = false;
	#isUnquoted = true;
	readonly #open = new Set<string>();

	constructor(private readonly run: Run) {
		this.#directory = run.shell.cwd;
	}

	async read(options: Options): Promise<Names> {
		await this.#take(options);
		return { list: this.#names, directory: this.#directory };
	}

	async #take(options: Options): Promise<void> {
		for (const { name, value } of options.order) {
			if (name === null || name === 'add-file') this.#add(value);
			else if (this.#flags.take(name)) continue;
			else if (name === 'C') this.#enter(value);
			else if (name.endsWith('recursion')) this.#recursion = name === 'recursion';
			else if (name === 'null' || name === 'no-null') this.#isNull = name === 'null';
			else if (name.endsWith('verbatim-files-from')) this.#isVerbatim = !name.startsWith('no-');
			else if (name === 'unquote' || name === 'no-unquote') this.#isUnquoted = name === 'unquote';
			else if (name === 'T') await this.#list(value);
		}
	}

	#enter(directory: string): void {
		const path = directory.startsWith('/') ? directory : `${this.#directory}/${directory}`;
		const { sync } = this.run;
		const kind = sync.statOrNull(path)?.kind;
		if (kind === 'directory') this.#directory = sync.realpath(path);
		else throw new TarFailure(`${directory}: Cannot open: ${kind ? 'Not a directory' : 'No such file or directory'}`);
	}

	#add(text: string): void {
		const how = { ...this.#flags.forMember(), below: this.#recursion };
		const expression = nameExpression(text.replace(/^\.\/(?=.)/, ''), how);
		this.#names.push({
			...{ text, directory: this.#directory, recursion: this.#recursion, isFound: false },
			matches: (member) => expression.test(member.replace(/^\.\/(?=.)/, '').replace(/(?<=.)\/+$/, ''))
		});
	}

	/** Reads a file of names, whose lines may be options unless they are taken literally. */
	async #list(file: string): Promise<void> {
		if (this.#open.has(file)) {
			await this.run.fail(`${file}: file list already read`);
			return;
		}
		this.#open.add(file);
		let text: string;
		try {
			const bytes =
				file === '-' ? await this.run.shell.descriptors.require(0).readAll() : await readWhole(this.run.shell, file);
			text = decode(bytes);
		} catch (error) {
			throw new TarFailure(`${file}: Cannot open: ${reason(error)}`);
		}
		if (text.includes('\0') && !this.#isNull) {
			await this.run.warn(`${file}: file name read contains nul character`);
			this.#isNull = true;
		}
		for (const line of text.split(this.#isNull ? '\0' : '\n').filter(Boolean)) {
			if (line.startsWith('-') && !this.#isNull && !this.#isVerbatim)
				await this.#take(parseOptions(newStyle(words(line)), SPECIFICATION));
			else this.#add(this.#isUnquoted && !this.#isNull ? unquoted(line) : line);
		}
		this.#open.delete(file);
	}
}

const words = (line: string): string[] =>
	(line.match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g) ?? []).map((word) =>
		word.replace(
			/\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/g,
			(_all, one?: string, two?: string, three?: string) => one ?? two ?? three ?? ''
		)
	);

const UNQUOTED: Record<string, string> = {
	n: '\n',
	t: '\t',
	a: '\x07',
	b: '\b',
	f: '\f',
	r: '\r',
	v: '\v',
	'\\': '\\'
};

const unquoted = (line: string): string =>
	line.replace(/\\([0-7]{1,3}|[^])/g, (whole, escape: string) =>
		/^[0-7]/.test(escape) ? String.fromCharCode(parseInt(escape, 8)) : (UNQUOTED[escape] ?? whole)
	);
