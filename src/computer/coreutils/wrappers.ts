import { runWords } from '#computer/shell/execution/run-words.ts';
import { Control, Interrupted } from '#computer/shell/state/control.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import type { Shell } from '#computer/shell/state/shell.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import { open } from '#computer/shell/execution/redirections.ts';
import { OpenFile } from '#computer/shell/streams/open-file.ts';
import { nullStream } from '#computer/shell/streams/simple-streams.ts';
import { decode } from '#computer/process/text.ts';

/** `env`: a command with a changed environment, or the environment itself. */
export const env: BuiltIn = async (call) => {
	const { shell, args } = call;
	let index = 0;
	let clear = false;
	let directory: string | null = null;
	const unset: string[] = [];
	for (; /^-/.test(args[index] ?? ''); index++) {
		const arg = args[index] ?? '';
		if (arg === '-i' || arg === '-' || arg === '--ignore-environment') clear = true;
		else if (arg === '-u') unset.push(args[++index] ?? '');
		else if (arg === '-C') directory = args[++index] ?? '';
		else if (arg.startsWith('-u')) unset.push(arg.slice(2));
		else if (arg === '-S') args.splice(index + 1, 1, ...(args[index + 1] ?? '').split(/\s+/).filter(Boolean));
		else if (arg === '--') {
			index++;
			break;
		} else if (arg !== '-0') {
			await call.complain(`invalid option -- '${arg.replace(/^-+/, '')}'`);
			return 125;
		}
	}
	return runSubshell(shell, async (inner) => {
		if (clear) inner.exportedFunctions.clear();
		if (clear)
			for (const name of inner.variables.names())
				if (inner.variables.find(name)?.exported) inner.variables.declare(name, { exported: false });
		for (const name of unset) inner.variables.unset(name);
		for (; /^[^=]+=/.test(args[index] ?? ''); index++) {
			const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(args[index] ?? '') ?? [];
			inner.variables.dynamic.delete(name);
			inner.variables.declare(name, { readonly: false, reference: false, value, exported: true });
		}
		if (directory !== null) inner.cwd = inner.path(directory);
		if (index < args.length) return runWords(inner, args.slice(index), 'builtins');
		const lines = Object.entries(inner.environment()).map(([name, value]) => `${name}=${value}\n`);
		await call.out(lines.join(''));
		return 0;
	});
};

/** `timeout 5 command`: 124 when the time is up. */
export const timeout: BuiltIn = async (call) => {
	const { args } = call;
	let index = 0;
	let signal = 'TERM';
	for (; /^-/.test(args[index] ?? ''); index++) {
		const [, attached] = /^(?:-s|--signal=)(.+)$/.exec(args[index] ?? '') ?? [];
		if (args[index] === '--') {
			index++;
			break;
		}
		if (attached) signal = attached;
		if (!/^(-[ks]|--signal|--kill-after)$/.test(args[index] ?? '')) continue;
		index++;
		if (/^(-s|--signal)$/.test(args[index - 1] ?? '')) signal = args[index] ?? '';
	}
	// A signal that cannot be caught is reported as such, not as a timeout.
	const end = /^(SIG)?KILL$|^9$/i.test(signal) ? 137 : 124;
	const match = /^(\d*\.?\d+)([smhd]?)$/.exec(args[index] ?? '');
	if (!match) {
		await call.complain(`invalid time interval '${args[index] ?? ''}'`);
		return 125;
	}
	const units: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 };
	const limitMs = Number(match[1]) * (units[match[2] ?? ''] ?? 1) * 1000;
	let late = false;
	const timer = setTimeout(() => {
		late = true;
		control?.stop(end);
	}, limitMs);
	let control: Control | undefined;
	try {
		const status = await runSubshell(call.shell, (inner) => {
			control = inner.control;
			return runWords(inner, args.slice(index + 1), 'functions');
		});
		return late ? end : status;
	} catch (error) {
		if (late && error instanceof Interrupted && !call.shell.control.stopped) return end;
		throw error;
	} finally {
		clearTimeout(timer);
	}
};

/** `nice`: there is one way to be scheduled here, so it only runs its command. */
export const nice: BuiltIn = async ({ shell, args, out }) => {
	let index = 0;
	if (args[0] === '-n') index = 2;
	else if (/^(-n?-?\d+|--adjustment=.*)$/.test(args[0] ?? '')) index = 1;
	if (index < args.length) return runWords(shell, args.slice(index), 'functions');
	await out('0\n');
	return 0;
};

interface XargsOptions {
	most: number;
	perLine: number;
	replace: string | null;
	delimiter: string | null;
	skipEmpty: boolean;
	verbose: boolean;
	parallel: number;
	/** A word that ends the input; null: none. */
	end: string | null;
	/** Source of the words; null: stdin. */
	file: string | null;
	command: string[];
}

function xargsOptions(args: string[]): XargsOptions | string {
	const options: XargsOptions = {
		most: 5000,
		perLine: 0,
		replace: null,
		delimiter: null,
		skipEmpty: false,
		verbose: false,
		parallel: 1,
		end: null,
		file: null,
		command: ['echo']
	};
	let index = 0;
	for (; /^-./.test(args[index] ?? ''); index++) {
		const arg = args[index] ?? '';
		if (arg === '--') {
			index++;
			break;
		}
		if (arg === '-0' || arg === '--null') options.delimiter = '\0';
		else if (arg === '-r' || arg === '--no-run-if-empty') options.skipEmpty = true;
		else if (arg === '-t') options.verbose = true;
		else if (/^-[nILPdsEa]/.test(arg)) {
			const value = arg.length > 2 ? arg.slice(2) : (args[++index] ?? '');
			if (arg[1] === 'n') options.most = Number(value);
			if (arg[1] === 'L') options.perLine = Number(value);
			if (arg[1] === 'I') options.replace = value;
			if (arg[1] === 'a') options.file = value;
			if (arg[1] === 'E') options.end = value || null;
			if (arg[1] === 'P') options.parallel = Number(value) || 8;
			if (arg[1] === 'd') options.delimiter = value.replace('\\n', '\n').replace('\\t', '\t').replace('\\0', '\0');
		} else if (/^--arg-file=/.test(arg)) options.file = arg.slice(11);
		else if (/^-i/.test(arg)) options.replace = arg.slice(2) || '{}';
		else if (/^-e/.test(arg)) options.end = arg.slice(2) || null;
		else if (/^--max-args=/.test(arg)) options.most = Number(arg.slice(11));
		else return `invalid option -- '${arg.replace(/^-+/, '')}'`;
	}
	if (index < args.length) options.command = args.slice(index);
	return options;
}

/** Words of the input as `xargs` reads them: blanks separate, quotes and backslashes protect. */
function xargsWords(text: string, options: XargsOptions): string[][] {
	if (options.delimiter !== null) {
		const items = text.split(options.delimiter);
		if (items.at(-1) === '') items.pop();
		return items.map((item) => [item]);
	}
	const lines = text.split('\n').filter((line) => line.trim() !== '');
	if (options.replace !== null) return lines.map((line) => [line.replace(/^\s+/, '')]);
	return lines.map((line) =>
		[...line.matchAll(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g)].map(([word]) =>
			word.replace(/"([^"]*)"|'([^']*)'|\\(.)/g, '$1$2$3')
		)
	);
}

/** Lines of words before the word that ends the input. */
function upTo(end: string | null, lines: string[][]): string[][] {
	const last = end === null ? -1 : lines.findIndex((words) => words.includes(end));
	if (end === null || last < 0) return lines;
	const rest = lines[last] ?? [];
	return [...lines.slice(0, last), rest.slice(0, rest.indexOf(end))];
}

/** Returns true if a line has an unclosed quote. */
const hasOpenQuote = (text: string): boolean => /['"]/.test(text.replace(/\\.|"[^"\n]*"|'[^'\n]*'/gs, ''));

export const xargs: BuiltIn = async (call) => {
	const options = xargsOptions([...call.args]);
	if (typeof options === 'string') {
		await call.complain(options);
		return 1;
	}
	const input =
		options.file === null ? call.shell.descriptors.require(0).retain() : open(call.shell, options.file, '<');
	const text = decode(await call.shell.control.race(input.readAll()));
	input.release();
	if (options.delimiter === null && options.replace === null && hasOpenQuote(text)) {
		const kind = /'/.test(text.replace(/"[^"\n]*"/g, '')) ? 'single' : 'double';
		await call.complain(`unmatched ${kind} quote; by default quotes are special to xargs unless you use the -0 option`);
		return 1;
	}
	const lines = upTo(options.end, xargsWords(text, options));
	const { replace } = options;
	let batches: string[][];
	if (replace !== null)
		batches = lines.map(([line = '']) => options.command.map((word) => word.replaceAll(replace, line)));
	else if (options.perLine > 0)
		batches = group(lines, options.perLine).map((some) => [...options.command, ...some.flat()]);
	else batches = group(lines.flat(), options.most).map((some) => [...options.command, ...some]);
	if (batches.length === 0 && !options.skipEmpty && replace === null) batches = [options.command];
	let status = 0;
	const queue = [...batches];
	const work = async () => {
		for (let words = queue.shift(); words; words = queue.shift()) {
			if (options.verbose) await call.shell.descriptors.get(2)?.write(new TextEncoder().encode(`${words.join(' ')}\n`));
			const result = await runIsolated(call.shell, words);
			if (result !== 0) status = result === 127 || result === 126 ? result : 123;
			if (result === 127 || result === 255) queue.length = 0;
		}
	};
	await Promise.all(Array.from({ length: Math.max(1, options.parallel) }, work));
	return status;
};

const runIsolated = (shell: Shell, words: string[]) =>
	runSubshell(shell, (inner) => {
		inner.descriptors.set(0, new OpenFile(nullStream));
		return runWords(inner, words, 'functions');
	});

function group<Item>(items: Item[], size: number): Item[][] {
	const groups: Item[][] = [];
	for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size));
	return groups;
}
