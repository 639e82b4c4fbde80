import { parse, ShellSyntaxError } from '../ast/parse.ts';
import { runWords } from '../execution/run-words.ts';
import { runScript } from '../execution/script.ts';
import { evaluateText } from '../expansion/arithmetic.ts';
import { ExitJump, LoopJump, ReturnJump } from '../state/control.ts';
import type { BuiltIn, Call } from '../state/host.ts';
import { decode } from '../streams/text.ts';

const jump =
	(kind: 'break' | 'continue'): BuiltIn =>
	({ shell, args }) => {
		if (shell.loopDepth === 0) return 0;
		throw new LoopJump(kind, Math.max(1, Number(args[0] ?? 1) || 1));
	};

const status = ({ shell, args }: Call) => (args[0] === undefined ? shell.status : Number(args[0]) & 255);

const source: BuiltIn = async (call) => {
	const { shell, args } = call;
	const [file, ...positional] = args;
	if (file === undefined) {
		await call.complain('filename argument required');
		return 2;
	}
	const { sync } = shell.host.context;
	const path = shell.path(file);
	if (sync.statOrNull(path)?.kind !== 'file') {
		await call.complain(`${file}: No such file or directory`);
		return 1;
	}
	const before = shell.positional;
	if (positional.length) shell.positional = positional;
	shell.sourceDepth++;
	try {
		return await runScript(shell, parse(decode(sync.readFile(path))));
	} catch (error) {
		if (error instanceof ReturnJump) return error.status;
		if (!(error instanceof ShellSyntaxError)) throw error;
		await call.complain(`${file}: ${error.message}`);
		return 2;
	} finally {
		shell.sourceDepth--;
		shell.positional = before;
	}
};

/** Builtins that change where the script goes on. */
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
		throw new ExitJump(status(call));
	},
	return: async (call) => {
		if (call.shell.callStack.length === 0 && call.shell.sourceDepth === 0) {
			await call.complain("can only `return' from a function or sourced script");
			return 2;
		}
		throw new ReturnJump(status(call));
	},
	eval: ({ shell, args }) => (args.length ? shell.host.evaluate(shell, args.join(' ')) : 0),
	source,
	'.': source,
	let: async ({ shell, args }) => {
		let value = 0n;
		for (const expression of args) value = await evaluateText(shell, expression);
		return value === 0n ? 1 : 0;
	},
	exec: async ({ shell, args }) => {
		const status = await runWords(shell, args, 'builtins');
		throw new ExitJump(status);
	},
	command: async (call) => {
		const { shell, args } = call;
		if (args[0] === '-v' || args[0] === '-V') {
			return shell.host.builtins.get('type')?.({ ...call, args: [args[0], ...args.slice(1)] }) ?? 1;
		}
		const words = args[0] === '-p' || args[0] === '--' ? args.slice(1) : args;
		return words.length ? runWords(shell, words, 'functions') : 0;
	},
	builtin: async (call) => {
		const [name = '', ...args] = call.args;
		const run = call.shell.host.builtins.get(name);
		if (run) return run({ ...call, name, args });
		await call.complain(`${name}: not a shell builtin`);
		return 1;
	}
};
