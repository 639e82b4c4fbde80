import { encode } from '#computer/process/text.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';
import { quoted as quotedIn } from '../quoting.ts';
import { shellEscaped, shellEscapedAlways as quoted } from '../shell-escape.ts';

/** Lengths guaranteed by POSIX, and those of Linux; a path includes its NUL. */
const PORTABLE = { path: 256, component: 14 };
const LINUX = { path: 4096, component: 255 };

/** `pathchk`: checks whether file names are valid here, or portable. */
export const pathchk = utility('p P portability', async (call, options) => {
	if (options.operands.length === 0) throw new UsageError('missing operand');
	const isPortable = options.has('p', 'portability');
	const isStrict = options.has('P', 'portability');
	let status = 0;
	for (const name of options.operands) {
		const problem = problemOf(call, name, isPortable, isStrict);
		if (problem === null) continue;
		await call.complain(problem);
		status = 1;
	}
	return status;
});

/** Returns the problem with a name, or null. */
function problemOf(call: Call, name: string, isPortable: boolean, isStrict: boolean): string | null {
	if (isStrict && /(?:^|\/)-/.test(name)) return `leading '-' in a component of file name ${quoted(name)}`;
	if ((isPortable || isStrict) && name === '') return 'empty file name';
	const odd = /[^A-Za-z0-9._/-]/u.exec(name)?.[0];
	if (isPortable && odd !== undefined)
		return `nonportable character ${quotedIn(odd, 'locale')} in file name ${quoted(name)}`;
	if (!isPortable && name === '') return "'': No such file or directory";
	if (!isPortable) {
		try {
			call.shell.host.context.sync.lstat(call.shell.path(name));
			return null;
		} catch (error) {
			if (reason(error) !== 'No such file or directory') return `${shellEscaped(name)}: ${reason(error)}`;
		}
	}
	return tooLong(name, isPortable);
}

function tooLong(name: string, isPortable: boolean): string | null {
	const limits = isPortable ? PORTABLE : LINUX;
	const length = encode(name).length;
	if (length >= limits.path) {
		if (!isPortable) return `${shellEscaped(name)}: File name too long`;
		return `limit ${limits.path - 1} exceeded by length ${length} of file name ${quoted(name)}`;
	}
	const part = name.split('/').find((component) => encode(component).length > limits.component);
	if (part === undefined) return null;
	if (!isPortable) return `${shellEscaped(name)}: File name too long`;
	return `limit ${limits.component} exceeded by length ${encode(part).length} of file name component ${quotedIn(part, 'locale')}`;
}
