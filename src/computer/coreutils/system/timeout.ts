import { runWords } from '#computer/shell/execution/run-words.ts';
import { Control, Interrupted } from '#computer/shell/state/control.ts';
import type { BuiltIn } from '#computer/shell/state/host.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';

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
