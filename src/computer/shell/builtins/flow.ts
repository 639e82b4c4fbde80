import { SEARCH_PATH } from '#computer/abi/paths.ts';
import { runExternal } from '../execution/external.ts';
import { findCommand, type Found } from '../execution/lookup.ts';
import { callBuiltIn, runWords } from '../execution/run-words.ts';
import { prepareArguments } from '../execution/substituted-arguments.ts';
import { tooManyArguments } from './too-many-arguments.ts';
import { optionsOf } from './read-options.ts';
import { usageOf } from './usage.ts';
import { hideTraps, runTrap } from '../execution/traps.ts';
import { evaluateText } from '../expansion/arithmetic.ts';
import { withExpandedKeys } from '../expansion/subscripts.ts';
import { ExitJump, IndexFailed, LoopJump, ReturnJump, ShellError } from '../state/control.ts';
import type { BuiltIn } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';
import { decode, encode } from '#computer/process/text.ts';

const jump =
	(kind: 'break' | 'continue'): BuiltIn =>
	async ({ shell, args, complain }) => {
		if (shell.loopDepth === 0) {
			if (!shell.options.posix) await complain("only meaningful in a `for', `while', or `until' loop");
			return 0;
		}
		const [count = '1'] = args[0] === '--' ? args.slice(1) : args;
		if (!/^[-+]?\d+$/.test(count)) {
			await complain(`${count}: numeric argument required`);
			throw new ExitJump(128);
		}
		if (args.length > 1) return tooManyArguments(shell, complain);
		if (Number(count) < 1) {
			await complain(`${count}: loop count out of range`);
			shell.status = 1;
			throw new LoopJump('break', shell.loopDepth, 1);
		}
		throw new LoopJump(kind, Number(count));
	};

const statusOf = (shell: Shell, given: string | undefined): number =>
	given === undefined ? (shell.statusAtTrap ?? shell.status) : Number(given) & 255;

const source: BuiltIn = async (call) => {
	const { shell } = call;
	const args = call.args[0] === '--' ? call.args.slice(1) : call.args;
	const [file, ...positional] = args;
	if (file === undefined) {
		await call.complain('filename argument required');
		await shell.descriptors.get(2)?.write(encode(usageOf(call.name)));
		return 2;
	}
	if (shell.restricted && file.includes('/')) {
		await call.complain(`${file}: restricted`);
		return 1;
	}
	const path = sourcePath(shell, file);
	const { sync } = shell.host.context;
	if (path === null) {
		if (sync.statOrNull(shell.path(file))) await call.complain(`${file}: is a directory`);
		else if (shell.options.posix && !file.includes('/')) await call.complain(`${file}: file not found`);
		else shell.complain(`${file}: No such file or directory`);
		shell.endsPosix = true;
		return 1;
	}
	if (!(sync.stat(path).mode & 0o400)) {
		shell.complain(`${file}: Permission denied`);
		return 1;
	}
	const before = shell.positional;
	const given = positional.length > 0 ? positional : null;
	if (given) shell.positional = given;
	const { line } = shell;
	shell.sourceDepth++;
	const kept = shell.shopt.has('extdebug') ? { args: positional.length > 0 ? positional : [file] } : {};
	shell.calls.unshift({ name: 'source', source: file, line, isFunction: false, ...kept });
	const showTraps = hideTraps(shell, ['DEBUG']);
	let endsPosix = false;
	try {
		shell.status = await runSourced(shell, decode(sync.readFile(path)));
		endsPosix = shell.endsPosix;
	} catch (error) {
		showTraps();
		throw error;
	} finally {
		shell.sourceDepth--;
		shell.calls.shift();
		shell.line = line;
		if (given) shell.positional = before;
	}
	try {
		await runTrap(shell, 'RETURN');
	} finally {
		showTraps();
	}
	shell.endsPosix = endsPosix;
	return shell.status;
};

async function runSourced(shell: Shell, text: string): Promise<number> {
	try {
		return await shell.host.evaluate(shell, text);
	} catch (error) {
		if (!(error instanceof ReturnJump)) throw error;
		return error.status;
	}
}

/** Finds the file that `source` reads: by its path, or in PATH and then in the working directory. */
function sourcePath(shell: Shell, file: string): string | null {
	const { sync } = shell.host.context;
	const directories =
		file.includes('/') || !shell.shopt.has('sourcepath') ? [] : (shell.variables.get('PATH') ?? '').split(':');
	// POSIX mode searches the working directory only if PATH contains it.
	const here = shell.options.posix && directories.length > 0 ? [] : [shell.path(file)];
	const candidates = [...directories.map((directory) => shell.path(`${directory || '.'}/${file}`)), ...here];
	return candidates.find((path) => sync.statOrNull(path)?.kind === 'file') ?? null;
}

/** Commands for which `exec` ends the shell without running its EXIT trap. */
const RUNNABLE: ReadonlySet<string> = new Set<Found['kind']>(['utility', 'program', 'file']);

/** Builtins that change the control flow of a script. */
export const flowBuiltins: Record<string, BuiltIn> = {
	':': () => 0,
	true: () => 0,
	false: () => 1,
	break: jump('break'),
	continue: jump('continue'),
	exit: async (call) => {
		if (call.args[0] !== undefined && !/^-?\d+$/.test(call.args[0])) {
			await call.complain(`${call.args[0]}: numeric argument required`);
			throw new ExitJump(2);
		}
		if (call.args.length > 1) {
			return tooManyArguments(call.shell, call.complain);
		}
		// An EXIT trap sees the functions that called `exit`.
		call.shell.callsAtExit = [...call.shell.calls];
		throw new ExitJump(statusOf(call.shell, call.args[0]));
	},
	return: async (call) => {
		if (call.shell.calls.length === 0) {
			await call.complain("can only `return' from a function or sourced script");
			return 2;
		}
		const [given, ...more] = call.args[0] === '--' ? call.args.slice(1) : call.args;
		if (given !== undefined && !/^[-+]?\d+$/.test(given)) {
			await call.complain(`${given}: numeric argument required`);
			throw new ReturnJump(2);
		}
		if (more.length > 0) return tooManyArguments(call.shell, call.complain);
		throw new ReturnJump(statusOf(call.shell, given));
	},
	eval: async (call) => {
		const { shell } = call;
		const args = call.args[0] === '--' ? call.args.slice(1) : call.args;
		shell.traceDepth++;
		try {
			return await shell.host.evaluate(shell, args.join(' '), shell.line || 1, 'eval');
		} finally {
			shell.traceDepth--;
		}
	},
	source,
	'.': source,
	let: async ({ shell, args, complain }) => {
		let value = 0n;
		if (args.length === 0) {
			await complain('expression expected');
			return 1;
		}
		for (const expression of args) {
			try {
				value = await evaluateText(shell, withExpandedKeys(shell, expression));
			} catch (error) {
				if (!(error instanceof ShellError) || error.fatal !== 'line' || error instanceof IndexFailed) throw error;
				await complain(error.message);
				return 1;
			}
		}
		return value === 0n ? 1 : 0;
	},
	exec: async ({ shell, args: given, complain }) => {
		if (shell.restricted) {
			await complain('restricted');
			return 1;
		}
		let args = given;
		let called: string | undefined;
		for (; /^-[cl]+$/.test(args[0] ?? '') || args[0] === '-a'; args = args.slice(1)) {
			if (args[0] !== '-a') continue;
			called = args[1];
			args = args.slice(1);
		}
		if (args[0] === '--') args = args.slice(1);
		if (args.length === 0) return 0;
		const found = findCommand(shell, args[0] ?? '', 'builtins');
		if (RUNNABLE.has(found.kind)) shell.traps.delete('EXIT');
		await prepareArguments(shell, found, args[0] ?? '', args.slice(1));
		const isLast = shell.subshellDepth === 0;
		shell.isThrough = isLast;
		const status =
			called !== undefined && found.kind === 'program'
				? await runExternal(shell, args, { called, isLast })
				: await runWords(shell, args, 'builtins');
		throw new ExitJump(status);
	},
	command: async (call) => {
		const { shell } = call;
		const { flags, rest: words } = optionsOf(call);
		if (flags.has('p') && shell.restricted) {
			await call.complain('-p: restricted');
			return 1;
		}
		const described = flags.has('V') ? '-V' : flags.has('v') ? '-v' : null;
		const run = async () => {
			if (described) return (await shell.host.builtins.get('type')?.({ ...call, args: [described, ...words] })) ?? 1;
			return words.length ? runWords(shell, words, 'functions') : 0;
		};
		if (!flags.has('p')) return run();
		const restore = shell.variables.override([['PATH', SEARCH_PATH]]);
		try {
			return await run();
		} finally {
			restore();
		}
	},
	logout: async ({ complain }) => {
		await complain("not login shell: use `exit'");
		return 1;
	},
	caller: async ({ shell, args, out, complain }) => {
		if (shell.calls.length === 0 && shell.mainFrame('main').length === 0) return 1;
		if (args[0] !== undefined && !/^[-+]?\d+$/.test(args[0])) {
			const isOption = /^-./.test(args[0]);
			await complain(isOption ? `${args[0].slice(0, 2)}: invalid option` : `${args[0]}: invalid number`);
			if (isOption) return 2;
			await shell.descriptors.get(2)?.write(encode(usageOf('caller')));
			return 2;
		}
		const depth = Number(args[0] ?? 0);
		const call = shell.calls[depth];
		if (!call) return 1;
		const outer = shell.calls[depth + 1];
		const source = outer?.source ?? shell.mainFrame(shell.name)[0] ?? 'NULL';
		if (args[0] === undefined) await out(`${call.line} ${source}\n`);
		else if (!outer && shell.mainFrame('main').length === 0) return 1;
		else await out(`${call.line} ${outer?.name ?? 'main'} ${source}\n`);
		return 0;
	},
	builtin: async (call) => {
		const [name, ...args] = call.args[0] === '--' ? call.args.slice(1) : call.args;
		if (name === undefined) return 0;
		const run = call.shell.host.builtins.get(name);
		if (run) return callBuiltIn(call.shell, run, name, args);
		await call.complain(`${name}: not a shell builtin`);
		return 1;
	}
};
