import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { decode, encode } from '#computer/process/text.ts';
import { LineSource } from '../input/line-source.ts';
import { TextOutput } from '../input/text-output.ts';
import { UsageError, utility } from '../options.ts';
import { parseSed } from './parse.ts';
import { SedRun } from './run.ts';
import { SedError } from './script.ts';

const SPECIFICATION =
	'n|quiet|silent e|expression= f|file= i|in-place=? E|r|regexp-extended s|separate z|null-data u|unbuffered ' +
	'l|line-length= posix debug sandbox follow-symlinks b|binary';

/** GNU `sed`: reads only as far as needed, so that it works in endless pipelines. */
export const sed = utility(SPECIFICATION, async (call, options) => {
	const operands = [...options.operands];
	const parts: string[] = [];
	for (const { name, value } of options.given) {
		if (name === 'e') parts.push(value);
		if (name === 'f') {
			const text = decode(
				value === '-'
					? await call.shell.descriptors.require(0).readAll()
					: call.shell.host.context.sync.readFile(call.shell.path(value))
			);
			parts.push(text.replace(/\n$/, ''));
		}
	}
	if (parts.length === 0) {
		const script = operands.shift();
		if (script === undefined) throw new UsageError('no script specified');
		parts.push(script);
	}
	const source = parts.join('\n');
	const quiet = options.has('n') || /^#n(\n|$)/.test(source);
	try {
		const parse = () => parseSed(source, options.has('E'));
		const settings = { quiet, delimiter: options.has('z') ? '\0' : '\n', separate: options.has('s', 'i') };
		parse();
		if (options.has('i') && operands.length === 0) throw new SedError('no input files', 4);
		if (options.has('i')) return await inPlace(call, operands, options.get('i') ?? '', parse, settings);
		const output = new TextOutput(call);
		const lines = new LineSource(call, operands, options.has('z') ? 0 : 10);
		lines.beforeWaiting = () => output.flush();
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

type Settings = ConstructorParameters<typeof SedRun>[4];

/** `-i`: each file is edited by itself and replaced. */
async function inPlace(
	call: Call,
	names: readonly string[],
	suffix: string,
	parse: () => ReturnType<typeof parseSed>,
	settings: Settings
): Promise<number> {
	const { sync } = call.shell.host.context;
	let status = 0;
	for (const name of names) {
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
		const lines = new LineSource(call, [name], settings.delimiter === '\0' ? 0 : 10);
		const run = new SedRun(call, parse(), lines, output, settings);
		const result = await run.whole();
		try {
			if (suffix)
				sync.writeFile(
					path.replace(/[^/]+$/, (base) => (suffix.includes('*') ? suffix.replaceAll('*', base) : base + suffix)),
					sync.readFile(path),
					{ mode: stat.mode & 0o777 }
				);
			sync.writeFile(sync.realpath(path), encode(text));
		} catch (error) {
			await call.complain(`couldn't edit ${name}: ${reason(error)}`);
			return 4;
		}
		if (result) return result;
	}
	return status;
}
