import { runWords } from '#computer/shell/execution/run-words.ts';
import { Control, Interrupted } from '#computer/shell/state/control.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';

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
