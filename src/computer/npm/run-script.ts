import type { ProcessContext } from '#computer/process/program.ts';
import { shellWord } from '#environment/shell-word.ts';
import type { Output } from './output.ts';
import { scriptEnvironment } from './environment.ts';
import type { Manifest } from './manifest.ts';

export interface RunOptions {
	silent: boolean;
	ifPresent: boolean;
	/** Arguments appended to the script's own text, each as one word. */
	args: string[];
}

/**
 * `npm run`: runs the script with its pre and post scripts.
 * @returns the exit code of the first that fails, otherwise 0
 */
export async function runScript(
	context: ProcessContext,
	output: Output,
	manifest: Manifest,
	name: string,
	options: RunOptions
): Promise<number> {
	const script = manifest.scripts[name] ?? (name === 'start' ? defaultStart(context, manifest) : undefined);
	if (script === undefined) {
		if (options.ifPresent) return 0;
		if (name === 'restart') return restart(context, output, manifest, options);
		output.error(
			`Missing script: "${name}"`,
			...suggestions(manifest, name),
			'',
			'To see a list of scripts, run:',
			'  npm run'
		);
		return 1;
	}
	const before = manifest.scripts[`pre${name}`];
	const after = manifest.scripts[`post${name}`];
	const steps: [string, string, string[]][] = [
		...(before === undefined ? [] : [[`pre${name}`, before, []] as [string, string, string[]]]),
		[name, script, options.args],
		...(after === undefined ? [] : [[`post${name}`, after, []] as [string, string, string[]]])
	];
	for (const [event, text, args] of steps) {
		const code = await runStep(context, output, manifest, event, text, args, options.silent);
		if (code !== 0) return code;
	}
	return 0;
}

async function runStep(
	context: ProcessContext,
	output: Output,
	manifest: Manifest,
	event: string,
	script: string,
	args: string[],
	silent: boolean
): Promise<number> {
	const command = [script, ...args.map(quote)].join(' ');
	const title = manifest.name ? `${manifest.name}${manifest.version ? `@${manifest.version}` : ''} ${event}` : event;
	if (!silent) output.print('', `> ${title}`, `> ${command}`, '');
	const pid = context.sync.spawn({
		argv: ['sh', '-c', command],
		cwd: manifest.directory,
		env: scriptEnvironment(context.env, manifest, event, script)
	});
	return (await context.async.waitPid(pid)).code;
}

function restart(context: ProcessContext, output: Output, manifest: Manifest, options: RunOptions): Promise<number> {
	const stop = runScript(context, output, manifest, 'stop', { ...options, ifPresent: true });
	return stop.then((code) => (code === 0 ? runScript(context, output, manifest, 'start', options) : code));
}

function defaultStart(context: ProcessContext, manifest: Manifest): string | undefined {
	return context.sync.statOrNull(`${manifest.directory}/server.js`) ? 'node server.js' : undefined;
}

function suggestions(manifest: Manifest, name: string): string[] {
	const near = Object.keys(manifest.scripts).filter((other) => distance(other, name) <= Math.max(2, name.length * 0.4));
	if (near.length === 0) return [];
	return [
		'',
		`Did you mean ${near.length === 1 ? 'this' : 'one of these'}?`,
		...near.slice(0, 3).map((other) => `  npm run ${other} # run the "${other}" package script`)
	];
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (const [index, letter] of [...a].entries()) {
		const next = [index + 1];
		for (let at = 1; at <= b.length; at++) {
			const change = (row[at - 1] ?? 0) + (b[at - 1] === letter ? 0 : 1);
			next.push(Math.min((row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, change));
		}
		row = next;
	}
	return row[b.length] ?? 0;
}

function quote(word: string): string {
	return /^[\w@%+=:,./-]+$/.test(word) ? word : shellWord(word);
}
