import { parseWord } from '../parser/parse.ts';
import { ShellError } from '../state/control.ts';
import type { Shell } from '../state/shell.ts';
import { HOST_NAME } from '#computer/abi/host-name.ts';
import { strftime } from '#computer/coreutils/time/strftime.ts';
import { zoneOf } from '#computer/local-time/zone.ts';
import { expandToText } from './word.ts';

/** Expands a prompt string (`PS1`, `${x@P}`): first backslash escapes, then expansions. */
export async function expandPrompt(shell: Shell, text: string): Promise<string> {
	const decoded = text.replace(
		/\\(?:([0-7]{3})|D\{([^}]*)\}|([^]))/g,
		(whole, octal?: string, format?: string, letter = '') => {
			if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 255);
			if (format !== undefined) return time(shell, format || '%X');
			return escaped(shell, letter) ?? whole;
		}
	);
	if (!shell.shopt.has('promptvars')) return decoded;
	try {
		return await expandToText(shell, parseWord(decoded, 'double'));
	} catch (error) {
		// Text that cannot be expanded is shown unchanged.
		if (!(error instanceof ShellError) || error.fatal === true) throw error;
		shell.complain(error.message);
		return decoded;
	}
}

const time = (shell: Shell, format: string) => strftime(format, Date.now(), zoneOf(shell.variables.get('TZ')));

/** Inserted directories and names must not be expanded again. */
const literal = (text: string) => text.replace(/[\\$`]/g, '\\$&');

function escaped(shell: Shell, letter: string): string | null {
	const version = '5.2';
	const host = shell.variables.get('HOSTNAME') ?? HOST_NAME;
	switch (letter) {
		case 'a':
			return '\x07';
		case 'e':
			return '\x1b';
		case 'n':
			return '\n';
		case 'r':
			return '\r';
		case 'd':
			return time(shell, '%a %b %d');
		case 't':
			return time(shell, '%H:%M:%S');
		case 'T':
			return time(shell, '%I:%M:%S');
		case '@':
			return time(shell, '%I:%M %p');
		case 'A':
			return time(shell, '%H:%M');
		case 'h':
			return host.replace(/\..*/, '');
		case 'H':
			return host;
		case 'u':
			return shell.variables.get('USER') ?? 'user';
		case 's':
			return shell.name.slice(shell.name.lastIndexOf('/') + 1);
		case 'v':
			return version;
		case 'V':
			return `${version}.15`;
		case 'w':
		case 'W':
			return literal(directory(shell, letter === 'W'));
		case 'j':
			return String(shell.jobs.listed().filter((job) => job.status === null).length);
		case 'l':
			return 'tty';
		case '!':
			return String(shell.host.history.base + shell.host.history.entries.length);
		case '#':
			return '1';
		case '$':
			// One backslash remains for the expansions that follow.
			return '\\$';
		case '[':
		case ']':
			return '';
		case '\\':
			return '\\';
		default:
			return null;
	}
}

function directory(shell: Shell, isShort: boolean): string {
	const { cwd } = shell;
	const home = shell.variables.get('HOME') ?? '';
	const isHome = home !== '' && (cwd === home || cwd.startsWith(`${home}/`));
	const shown = isHome ? `~${cwd.slice(home.length)}` : cwd;
	if (!isShort || shown === '~' || shown === '/') return shown;
	return shown.slice(shown.lastIndexOf('/') + 1);
}
