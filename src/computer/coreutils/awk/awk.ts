import { decode, encode } from '#computer/process/text.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { type Options, parseOptions, UsageError } from '../options.ts';
import { AwkError, AwkSyntaxError } from './faults.ts';
import { AwkFiles } from './files.ts';
import { BUILTINS } from './functions.ts';
import { MainInput } from './main-input.ts';
import type { Program, Rule, Statement } from './nodes.ts';
import { type Include, parseAwk } from './parse.ts';
import { prettyPrint } from './pretty.ts';
import type { Piece } from './reader.ts';
import { ExitJump, NextJump, Runtime } from './runtime.ts';
import { Compiler } from './statements.ts';
import { FunctionTable, SymbolTable } from './symbols.ts';
import { type Dialect, type Source, unescapeString } from './tokens.ts';
import { AwkArray, fromInput, reading } from './values.ts';

const OPTIONS =
	'+F|field-separator= v|assign= f|file= e|source= i|include= l|load= version V W= L|lint=? t|lint-old P|posix c|traditional ' +
	'r|re-interval n|non-decimal-data b|characters-as-bytes S|sandbox N|use-lc-numeric O|optimize s|no-optimize C|copyright ' +
	'd|dump-variables=? D|debug=? E|exec= g|gen-pot I|trace M|bignum o|pretty-print=? p|profile=? h|help';

const USAGE = 'usage: awk [-F fs][-v var=value][prog | -f progfile][file ...]';

/** `awk`: reads record by record, so that it works in endless pipelines. */
export const awk: BuiltIn = async (call) => {
	const files = new AwkFiles(call);
	try {
		return await new AwkRun(call, files).start();
	} catch (error) {
		if (error instanceof AwkSyntaxError) {
			for (const line of error.lines) await call.complain(line);
			return error.message.includes('fatal: ') ? 2 : 1;
		}
		if (!(error instanceof UsageError)) throw error;
		await call.complain(error.message);
		return 2;
	}
};

/** Records between two yields to other tasks. */
const RECORDS_PER_LOOK = 32;

/** One run of a program. */
class AwkRun {
	readonly #options: Options;
	readonly #dialect: Dialect;
	readonly #runtime: Runtime;
	#status = 0;

	constructor(
		private readonly call: Call,
		private readonly files: AwkFiles
	) {
		this.#options = parseOptions(longOptions(call.args), OPTIONS);
		const options = this.#options;
		this.#dialect = options.has('c') ? 'traditional' : options.has('P') ? 'posix' : 'gnu';
		reading.nonDecimal = options.has('n') && this.#dialect === 'gnu';
		reading.traditional = this.#dialect === 'traditional';
		const mode = { posix: options.has('P'), traditional: options.has('c'), sandbox: options.has('S') };
		this.#runtime = new Runtime(files, mode, call.name, () => call.shell.control.check());
	}

	async start(): Promise<number> {
		const { call } = this;
		const options = this.#options;
		if (options.has('version', 'V')) {
			await call.out('GNU Awk 5.2.1, API 3.2, (Sandglass)\n');
			return 0;
		}
		const operands = [...options.operands];
		const sources = await this.#sources(operands);
		if (!sources) {
			await call.shell.descriptors.get(2)?.write(encode(`${USAGE}\n`));
			return 2;
		}
		const program = parseAwk(sources, this.#dialect, this.#include, options.has('L'));
		for (const line of program.warnings) this.files.print(`${call.name}: ${line}\n`, 2);
		if (options.has('o')) {
			const file = options.get('o') || 'awkprof.out';
			call.shell.host.context.sync.writeFile(call.shell.path(file), encode(prettyPrint(program)));
			return 0;
		}
		try {
			return await this.#run(program, operands);
		} catch (error) {
			if (!(error instanceof AwkError)) throw error;
			this.files.print(`${call.name}: ${this.#runtime.place()}fatal: ${error.message}\n`, 2);
			await this.files.show();
			return 2;
		}
	}

	/** Sources of the program: from files, from options, or the first operand. */
	async #sources(operands: string[]): Promise<Source[] | null> {
		const sources: Source[] = [];
		for (const { name, value } of this.#options.given) {
			if (name === 'e') sources.push({ text: value, file: null });
			if (name === 'i') {
				const source = this.#include(value);
				if (source) sources.push(source);
			}
			if (name !== 'f' && name !== 'E') continue;
			const text = await this.#programText(value);
			sources.push({ text, file: value });
		}
		if (!this.#options.has('e', 'f', 'E')) {
			const text = operands.shift();
			if (text === undefined) return null;
			sources.push({ text, file: null });
		}
		return sources;
	}

	/** Reads a program of `-f`: a file, also in a directory of `AWKPATH`, or standard input. */
	async #programText(name: string): Promise<string> {
		const { shell } = this.call;
		if (name === '-' || name === '/dev/stdin') return decode(await shell.descriptors.require(0).readAll());
		const path = this.#find(name);
		if (path === null)
			throw new AwkSyntaxError([`fatal: cannot open source file \`${name}' for reading: No such file or directory`]);
		this.#included.add(path);
		return decode(shell.host.context.sync.readFile(path));
	}

	#find(name: string): string | null {
		const { shell } = this.call;
		const { sync } = shell.host.context;
		const directories = name.includes('/')
			? []
			: (shell.environment()['AWKPATH'] ?? '.:/usr/local/share/awk').split(':');
		const names = [name, `${name}.awk`].flatMap((one) => [
			one,
			...directories.filter(Boolean).map((directory) => `${directory}/${one}`)
		]);
		return names.map((one) => shell.path(one)).find((path) => sync.statOrNull(path)?.kind === 'file') ?? null;
	}

	readonly #included = new Set<string>();

	readonly #include: Include = (name) => {
		const path = this.#find(name);
		if (path === null)
			throw new AwkSyntaxError([`error: cannot open source file \`${name}' for reading: No such file or directory`]);
		if (this.#included.has(path)) return null;
		this.#included.add(path);
		return { text: decode(this.call.shell.host.context.sync.readFile(path)), file: name };
	};

	#assign(text: string): void {
		const [, name = '', value = ''] = /^([A-Za-z_][\w:]*)=([^]*)$/.exec(text) ?? [];
		if (name === '') throw new UsageError(`fatal: \`${text}' argument to \`-v' not in \`var=value' form`);
		this.#runtime.set(name.replace(/^awk::/, ''), fromInput(unescapeString(value, this.#dialect)));
	}

	#prepare(program: Program, operands: readonly string[]): void {
		const runtime = this.#runtime;
		const { shell, name } = this.call;
		for (const [key, value] of Object.entries(shell.environment())) runtime.array('ENVIRON').set(key, fromInput(value));
		runtime.set('ARGC', operands.length + 1);
		for (const [index, operand] of [name, ...operands].entries())
			runtime.array('ARGV').set(String(index), fromInput(operand));
		this.#fillInformation();
		const names = [...Object.keys(BUILTINS), ...program.functions.keys()].sort();
		runtime.globals[runtime.slot('FUNCTAB')] = new FunctionTable(names);
		runtime.globals[runtime.slot('SYMTAB')] = new SymbolTable(runtime);
		if (this.#options.has('L')) runtime.set('LINT', 1);
		for (const { name, value } of this.#options.given) {
			if (name === 'F') runtime.set('FS', value === 't' ? '\t' : unescapeString(value, this.#dialect));
			if (name === 'v') this.#assign(value);
		}
	}

	/** Sets `PROCINFO["identifiers"]` to the kind of each name in the program. */
	#fillIdentifiers(program: Program): void {
		const runtime = this.#runtime;
		const identifiers = new AwkArray('PROCINFO["identifiers"]');
		for (const [name, slot] of runtime.slots) {
			const cell = runtime.globals[slot];
			identifiers.set(name, cell instanceof AwkArray ? 'array' : cell === undefined ? 'untyped' : 'scalar');
		}
		for (const name of Object.keys(BUILTINS)) identifiers.set(name, 'builtin');
		for (const name of program.functions.keys()) identifiers.set(name, 'user');
		runtime.array('PROCINFO').set('identifiers', identifiers);
	}

	#fillInformation(): void {
		const information = this.#runtime.array('PROCINFO');
		const numbers = {
			egid: 1000,
			euid: 1000,
			gid: 1000,
			uid: 1000,
			group1: 1000,
			pid: this.call.shell.pid,
			ppid: 1,
			pgrpid: 1
		};
		for (const [key, value] of Object.entries(numbers)) information.set(key, value);
		const texts = { version: '5.2.1', strftime: '%a %b %e %H:%M:%S %Z %Y', platform: 'posix' };
		for (const [key, value] of Object.entries(texts)) information.set(key, value);
		const args = new AwkArray('PROCINFO["argv"]');
		for (const [index, arg] of [this.call.name, ...this.call.args].entries()) args.set(String(index), arg);
		information.set('argv', args);
	}

	async #run(program: Program, operands: readonly string[]): Promise<number> {
		const { call, files } = this;
		const runtime = this.#runtime;
		this.#prepare(program, operands);
		let [beginFile, endFile]: (() => unknown)[][] = [[], []];
		const input: MainInput = new MainInput(call, runtime, (text) => this.#assign(text), {
			begin: () => this.#around(beginFile ?? [], input),
			end: () => this.#around(endFile ?? [], input),
			areThere: program.beginFile.length > 0
		});
		input.beforeWaiting = () => files.show();
		const compiler = new Compiler(runtime, program, () => input.nextNow());
		const compiled = (nodes: readonly Statement[]) => nodes.map((node) => compiler.statement(node));
		[beginFile, endFile] = [compiled(program.beginFile), compiled(program.endFile)];
		const [begin, end] = [compiled(program.begin), compiled(program.end)];
		const apply = rulesOf(program.rules, compiler, runtime);
		this.#fillIdentifiers(program);
		const readsFiles =
			program.rules.length + program.end.length + program.beginFile.length + program.endFile.length > 0;
		if (program.readsInput) await input.hold();
		try {
			let over = this.#exits(() => begin.forEach((action) => action()));
			if (!over && readsFiles) over = await this.#readAll(input, apply);
			if (over) input.close();
			runtime.at = { file: null, line: 0 };
			this.#exits(() => end.forEach((action) => action()));
		} finally {
			// Notifies the writer that the program reads no more.
			input.close();
		}
		files.closeAll();
		await files.show();
		return this.#status || (input.failed ? 2 : 0);
	}

	/** Runs the actions around a file; `nextfile` in them leaves the file. */
	#around(actions: readonly (() => unknown)[], input: MainInput): void {
		try {
			for (const action of actions) action();
		} catch (error) {
			if (!(error instanceof NextJump)) throw error;
			input.skipFile();
		}
	}

	/** Runs code that may exit the program. Returns whether it did. */
	#exits(work: () => void): boolean {
		try {
			work();
			return false;
		} catch (error) {
			if (!(error instanceof ExitJump)) throw error;
			if (error.status !== null) this.#status = Math.trunc(error.status) & 255;
			return true;
		}
	}

	/** Applies the rules to each record. Returns whether the program exited meanwhile. */
	async #readAll(input: MainInput, apply: () => void): Promise<boolean> {
		const { files } = this;
		for (let count = 1; ; count++) {
			let piece: Piece | null;
			try {
				const next = input.take();
				piece = next === 'more' ? await input.next() : next;
			} catch (error) {
				if (!(error instanceof ExitJump)) throw error;
				return this.#exits(() => {
					throw error;
				});
			}
			if (!piece) return false;
			if (this.#exits(() => this.#apply(piece, apply, input))) return true;
			if (files.isWaiting) await files.show();
			if (count % RECORDS_PER_LOOK === 0) await this.call.shell.control.yieldIfDue();
		}
	}

	#apply(piece: Piece, apply: () => void, input: MainInput): void {
		const runtime = this.#runtime;
		runtime.count(piece.terminator);
		runtime.record.set(piece.text);
		try {
			apply();
		} catch (error) {
			if (!(error instanceof NextJump)) throw error;
			if (error.ofFile) input.skipFile();
		}
	}
}

/** Compiles the rules into one function, which is called for each record. */
function rulesOf(rules: readonly Rule[], compiler: Compiler, runtime: Runtime): () => void {
	const compiled = rules.map(({ pattern, until, action, at }) => ({
		at,
		test: pattern ? compiler.condition(pattern) : () => true,
		until: until ? compiler.condition(until) : null,
		open: false,
		run: compiler.statement(action ?? { type: 'print', format: false, args: [], redirect: null, at })
	}));
	return () => {
		for (const rule of compiled) {
			runtime.at = rule.at;
			if (rule.until) {
				if (!rule.open && !rule.test()) continue;
				rule.open = !rule.until();
				rule.run();
			} else if (rule.test()) rule.run();
		}
	};
}

/** `-W posix` is the old form of `--posix`. */
function longOptions(args: readonly string[]): string[] {
	const found: string[] = [];
	for (let at = 0; at < args.length; at++) {
		const arg = args[at] ?? '';
		if (arg === '-W' && at + 1 < args.length) found.push(`--${args[++at]}`);
		else if (/^-W./.test(arg)) found.push(`--${arg.slice(2)}`);
		else found.push(arg);
	}
	return found;
}
