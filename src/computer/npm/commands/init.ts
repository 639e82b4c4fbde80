import type { ProcessContext } from '#computer/process/program.ts';
import { basename } from '#computer/abi/paths.ts';
import { inside } from '../manifest.ts';
import type { Output } from '../output.ts';

/** `npm init -y`, also used for `npm init`: it asks no questions here. @returns the exit code */
export function initCommand({ sync, cwd }: ProcessContext, output: Output, flags: string[]): number {
	const file = inside(cwd, 'package.json');
	const known: Record<string, unknown> = sync.statOrNull(file)
		? Object(JSON.parse(new TextDecoder().decode(sync.readFile(file))))
		: {};
	const type = flags.find((flag) => flag.startsWith('--init-type='))?.slice('--init-type='.length) ?? 'commonjs';
	const json = {
		name:
			basename(cwd)
				.toLowerCase()
				.replace(/[^a-z0-9~_.-]+/g, '-') || 'project',
		version: '1.0.0',
		description: '',
		main: 'index.js',
		scripts: { test: 'echo "Error: no test specified" && exit 1' },
		keywords: [],
		author: '',
		license: 'ISC',
		type,
		...known
	};
	const text = JSON.stringify(json, null, 2);
	sync.writeFile(file, new TextEncoder().encode(`${text}\n`));
	output.print(`Wrote to ${file}:`, '', text, '');
	return 0;
}
