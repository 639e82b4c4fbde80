import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { decode, encode } from '#computer/process/text.ts';
import { LineSource } from '../input/line-source.ts';
import { TextOutput } from '../input/text-output.ts';
import { type Options, utility } from '../options.ts';
import { lstatOrNull } from '../files/same-file.ts';
import { parseSed, type ScriptPart } from './parse.ts';
import { SedRun } from './run.ts';
import { SedError } from './script.ts';

const SPECIFICATION =
	'n|quiet|silent e|expression= f|file= i|in-place=? E|r|regexp-extended s|separate z|null-data u|unbuffered ' +
	'l|line-length= posix debug sandbox follow-symlinks b|binary help version';

const USAGE = `Usage: sed [options] script [file …]
       sed [options] -e script … [file …]

  -n              print only what the script prints
  -e script       add a script
  -f file         add the script of a file
  -E, -r          extended regular expressions
  -i[suffix]      edit files in place, with a copy under the suffix
  -s              treat files as separate, not as one stream
  -u              read no more than is needed
  -z              lines end in NUL
  -l number       width of lines that the command l prints
  --posix         without GNU's additions
  --sandbox       without commands that read or write files or run programs
`;

/** GNU `sed`: reads only as far as needed, so that it works in endless pipelines. */
export const sed = utility(SPECIFICATION, async (call, options) => {
	if (options.has('help', 'version')) {
		await call.out(options.has('help') ? `${USAGE}E-mail bug reports to the authors.\n` : 'sed (GNU sed) 4.9\n');
		return 0;
	}
	const operands = [...options.operands];
	const parts = await scriptParts(call, options);
	if (parts.length === 0) {
		const script = operands.shift();
		if (script === undefined) {
			await call.shell.descriptors.get(2)?.write(encode(USAGE));
			return 1;
		}
		parts.push({ text: script, file: null });
	}
	try {
		const dialect = { extended: options.has('E'), posix: options.has('posix'), sandbox: options.has('sandbox') };
		const parse = () => parseSed(parts, dialect);
		const settings = settingsOf(call, options, parts);
		parse();
		if (options.has('i') && operands.length === 0) throw new SedError('no input files', 4);
		if (options.has('i')) return await inPlace(call, operands, options.get('i') ?? '', parse, settings);
		const output = new TextOutput(call);
		const lines = new LineSource(call, operands, options.has('z') ? 0 : 10, options.has('u') ? 1 : undefined);
		lines.beforeWaiting = () => output.flush();
		for (const name of operands) settings.nameOf(name);
		const run = new SedRun(call, parse(), lines, output, settings);
		const status = await run.whole();
		await output.flush();
		return status || (lines.status ? 2 : 0);
	} catch (error) {
		if (!(error instanceof SedError)) throw error;
		await call.complain(error.message);
		return error.status;
	}
});

async function scriptParts(call: Call, options: Options): Promise<ScriptPart[]> {
	const parts: ScriptPart[] = [];
	for (const { name, value } of options.given) {
		if (name === 'e') parts.push({ text: value, file: null });
		if (name !== 'f') continue;
		const bytes =
			value === '-'
				? await call.shell.descriptors.require(0).readAll()
				: call.shell.host.context.sync.readFile(call.shell.path(value));
		const text = decode(bytes);
		parts.push({ text: text.replace(/\n$/, ''), file: value, hasLineEnd: text.endsWith('\n') });
	}
	return parts;
}

function settingsOf(call: Call, options: Options, parts: readonly ScriptPart[]): Settings {
	const { shell } = call;
	const nameOf = (name: string) => (options.has('follow-symlinks') ? shownTarget(call, name) : name);
	const columns = Number(shell.variables.exported('COLS') ?? 0);
	return {
		nameOf,
		quiet: options.has('n') || parts[0]?.text.startsWith('#n') === true,
		delimiter: options.has('z') ? '\0' : '\n',
		separate: options.has('s', 'i'),
		posix: options.has('posix') || shell.variables.exported('POSIXLY_CORRECT') !== undefined,
		width: options.number('l', columns > 1 ? columns - 1 : 70)
	};
}

type Settings = ConstructorParameters<typeof SedRun>[4];

/** Resolves a link step by step, keeping relative paths. @throws SedError */
function shownTarget(call: Call, name: string): string {
	if (name === '-') return name;
	const { sync } = call.shell.host.context;
	let shown = name;
	for (let hops = 0; hops <= MAX_LINKS; hops++) {
		try {
			if (sync.lstat(call.shell.path(shown)).kind !== 'symlink') return shown;
		} catch (error) {
			throw new SedError(`couldn't readlink ${shown}: ${reason(error)}`, 4);
		}
		const target = sync.readlink(call.shell.path(shown));
		shown = target.startsWith('/') ? target : shown.replace(/[^/]*$/, '') + target;
	}
	throw new SedError(`couldn't follow symlink ${name}: Too many levels of symbolic links`, 4);
}

const MAX_LINKS = 40;

/** `-i`: each file is edited separately and replaced. */
async function inPlace(
	call: Call,
	names: readonly string[],
	suffix: string,
	parse: () => ReturnType<typeof parseSed>,
	settings: Settings
): Promise<number> {
	const { sync } = call.shell.host.context;
	let status = 0;
	for (const given of names) {
		const name = settings.nameOf(given);
		const path = call.shell.path(name);
		const stat = sync.statOrNull(path);
		if (stat?.kind !== 'file') {
			await call.complain(
				stat ? `couldn't edit ${name}: not a regular file` : `can't read ${name}: No such file or directory`
			);
			status = 4;
			if (!stat) status = 2;
			continue;
		}
		let text = '';
		const output = { add: (piece: string) => void (text += piece), flush: async () => {}, full: false };
		// Here `-` is a file with that name.
		const lines = new LineSource(call, [name === '-' ? './-' : name], settings.delimiter === '\0' ? 0 : 10);
		const run = new SedRun(call, parse(), lines, output, settings);
		const result = await run.whole();
		const backup = suffix.includes('*') ? suffix.replaceAll('*', name) : name + suffix;
		try {
			if (backup !== name) sync.rename(path, call.shell.path(backup));
		} catch (error) {
			await call.complain(`cannot rename ${name}: ${reason(error)}`);
			return 4;
		}
		try {
			// A link is replaced by a regular file, unless links are followed.
			if (lstatOrNull(sync, path)?.kind === 'symlink') sync.unlink(path);
			sync.writeFile(path, encode(text), { mode: stat.mode & 0o777 });
		} catch (error) {
			await call.complain(`couldn't edit ${name}: ${reason(error)}`);
			return 4;
		}
		if (result) return result;
	}
	return status;
}
