import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import { type Options, UsageError, parseOptions } from '../options.ts';
import { MakeEnd, MakeFailure } from './failure.ts';
import { machineOf, warn } from './machine.ts';
import { MakeRun } from './make-run.ts';
import { SPECIFICATION } from './switches.ts';

const USAGE = `Usage: make [options] [target] ...
Options:
  -B, --always-make           Unconditionally make all targets.
  -C DIRECTORY                Change to DIRECTORY before doing anything.
  -e, --environment-overrides Environment variables override makefiles.
  -f FILE                     Read FILE as a makefile.
  -i, --ignore-errors         Ignore errors from recipes.
  -I DIRECTORY                Search DIRECTORY for included makefiles.
  -k, --keep-going            Keep going when some targets can't be made.
  -n, --dry-run               Don't actually run any recipe; just print them.
  -o FILE                     Consider FILE to be very old and don't remake it.
  -q, --question              Run no recipe; exit status says if up to date.
  -r, --no-builtin-rules      Disable the built-in implicit rules.
  -s, --silent                Don't echo recipes.
  -t, --touch                 Touch targets instead of remaking them.
  -w, --print-directory       Print the current directory.
  -W FILE                     Consider FILE to be infinitely new.
`;

const FAILED = 2;

/** GNU make 4.3, without parallel jobs, archive members and loaded objects. */
export const make: BuiltIn = async (call) => {
	let options: Options;
	try {
		options = parseOptions(withJoinedNumbers(call.args), SPECIFICATION);
		const jobs = options.get('j');
		if (jobs !== undefined && jobs !== '' && !/^[1-9]\d*$/.test(jobs))
			throw new UsageError("the '-j' option requires a positive integer argument");
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		await call.complain(error.message);
		await warn(call.shell, USAGE);
		return FAILED;
	}
	if (options.has('v')) {
		await call.out(
			'GNU Make 4.3\nThe part of it that the sandbox has: one job at a time, no archives, no loaded objects.\n'
		);
		return 0;
	}
	if (options.has('h')) {
		await call.out(USAGE);
		return 0;
	}
	return runSubshell(call.shell, (inner) => run({ ...call, shell: inner }, options));
};

/** Joins `-j` or `-l` with a number that follows it, as make does. */
function withJoinedNumbers(args: readonly string[]): string[] {
	const result: string[] = [];
	for (const arg of args) {
		const before = result.at(-1) ?? '';
		if (/^-[a-zA-Z]*[jl]$/.test(before) && /^\d+(?:\.\d+)?$/.test(arg)) result.push(`${result.pop()}${arg}`);
		else result.push(arg);
	}
	return result;
}

async function run(call: Call, options: Options): Promise<number> {
	const { shell } = call;
	const level = Number(shell.environment()['MAKELEVEL'] ?? 0) || 0;
	const name = level === 0 ? 'make' : `make[${level}]`;
	for (const directory of options.all('C')) {
		if (shell.host.context.sync.statOrNull(shell.path(directory))?.kind !== 'directory') {
			await warn(shell, `${name}: *** ${directory}: No such file or directory.  Stop.\n`);
			return FAILED;
		}
		shell.cwd = shell.path(directory);
		shell.variables.set('PWD', shell.cwd);
	}
	const started = new MakeRun(machineOf(call), { level, name, options });
	try {
		return await started.run();
	} catch (error) {
		if (error instanceof MakeEnd) return error.status;
		if (!(error instanceof MakeFailure)) throw error;
		await started.fail(error);
		return FAILED;
	} finally {
		await started.leave();
	}
}
