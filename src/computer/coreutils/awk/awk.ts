import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { decode } from '#computer/process/text.ts';
import { parseOptions, UsageError } from '../options.ts';
import { Compiler } from './compile.ts';
import { AwkFiles } from './files.ts';
import { parseAwk } from './parse.ts';
import { RecordSource } from './record-source.ts';
import { ExitJump, NextJump, Runtime } from './runtime.ts';
import { AwkError, unescapeString } from './tokens.ts';
import { fromInput, toNumber } from './values.ts';

const OPTIONS =
	'+F|field-separator= v|assign= f|file= e|source= version W= lint? L|lint-old t P|posix c|traditional ' +
	'r|re-interval n|non-decimal-data b|characters-as-bytes S|sandbox N|use-lc-numeric O|optimize s|no-optimize';

/** `awk`: reads record by record, so that it works in endless pipelines. */
export const awk: BuiltIn = async (call) => {
	const files = new AwkFiles(call);
	try {
		return await run(call, files);
	} catch (error) {
		if (!(error instanceof AwkError) && !(error instanceof UsageError)) throw error;
		await call.out(files.output);
		await call.complain(error.message);
		return 2;
	}
};

async function run(call: Call, files: AwkFiles): Promise<number> {
	const { shell } = call;
	const options = parseOptions(call.args, OPTIONS);
	const operands = [...options.operands];
	if (options.has('version')) {
		await call.out('awk for Sandglass\n');
		return 0;
	}
	const sources: string[] = [];
	for (const { name, value } of options.given) {
		if (name === 'e') sources.push(value);
		if (name === 'f') sources.push(await programText(call, value));
	}
	const source = sources.length ? sources.join('\n') : operands.shift();
	if (source === undefined) throw new UsageError('usage: awk [-F fs][-v var=value][prog | -f progfile][file ...]');

	const runtime = new Runtime(files, () => shell.control.check());
	const assign = (text: string) => {
		const [, name = '', value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
		runtime.set(name, fromInput(unescapeString(value)));
	};
	for (const { name, value } of options.given) {
		if (name === 'F') runtime.set('FS', value === 't' ? '\t' : unescapeString(value));
		if (name === 'v') assign(value);
	}
	for (const [name, value] of Object.entries(shell.environment())) runtime.array('ENVIRON').set(name, fromInput(value));
	runtime.set('ARGC', operands.length + 1);
	for (const [index, operand] of ['awk', ...operands].entries())
		runtime.array('ARGV').set(String(index), fromInput(operand));

	const program = parseAwk(source);
	const records = new RecordSource(call, runtime, assign);
	const compiler = new Compiler(runtime, program, () => records.nextHeld());
	const begin = program.begin.map((action) => compiler.statement(action));
	const rules = program.rules.map(({ pattern, until, action }) => ({
		test: pattern ? compiler.condition(pattern) : () => true,
		until: until ? compiler.condition(until) : null,
		open: false,
		run: compiler.statement(action ?? { type: 'print', format: false, args: [], redirect: null })
	}));
	const end = program.end.map((action) => compiler.statement(action));
	const show = async () => {
		if (files.output === '') return;
		const text = files.output;
		files.output = '';
		await call.out(text);
	};
	records.beforeWaiting = show;

	let status = 0;
	const exits = (work: () => void): boolean => {
		try {
			work();
			return false;
		} catch (error) {
			if (!(error instanceof ExitJump)) throw error;
			status = error.status === null ? status : error.status & 255;
			return true;
		}
	};
	if (program.readsInput && (rules.length || end.length || begin.length)) await records.holdAll();
	const applyRules = () => {
		for (const rule of rules) {
			if (rule.until) {
				if (!rule.open && !rule.test()) continue;
				rule.open = !rule.until();
				rule.run();
			} else if (rule.test()) rule.run();
		}
	};
	let over = exits(() => begin.forEach((action) => action()));
	if (!over && (rules.length || end.length)) {
		for (let record = await records.next(); record !== null && !over; record = over ? null : await records.next()) {
			runtime.record.set(record);
			runtime.set('NR', toNumber(runtime.get('NR')) + 1);
			runtime.set('FNR', toNumber(runtime.get('FNR')) + 1);
			over = exits(() => {
				try {
					applyRules();
				} catch (error) {
					if (!(error instanceof NextJump)) throw error;
					if (error.ofFile) records.skipFile();
				}
			});
			if (files.output.length > 32_768) await show();
			await shell.control.yieldIfDue();
		}
	}
	records.close();
	exits(() => end.forEach((action) => action()));
	files.closeAll();
	await show();
	return status || (records.failed ? 2 : 0);
}

/** A program of `-f`: a file, one of a directory of `AWKPATH`, or standard input. */
async function programText({ shell }: Call, name: string): Promise<string> {
	if (name === '-' || name === '/dev/stdin') return decode(await shell.descriptors.require(0).readAll());
	const { sync } = shell.host.context;
	const directories = name.includes('/') ? [] : (shell.environment()['AWKPATH'] ?? '').split(':').filter(Boolean);
	const candidates = [name, ...directories.map((directory) => `${directory}/${name}`)].map((one) => shell.path(one));
	const found = candidates.find((path) => sync.statOrNull(path)?.kind === 'file') ?? candidates[0]!;
	return decode(sync.readFile(found));
}
