import type { ProcessContext } from '../process/program.ts';

/** Entry files of tools that are native or need a machine → the sandbox's own command in their place. */
const REPLACED: [RegExp, string][] = [
	[/\/node_modules\/vitest\/vitest\.mjs$/, 'vitest'],
	[/\/node_modules\/(jest|jest-cli)\/bin\/jest\.js$/, 'jest'],
	[/\/node_modules\/esbuild\/bin\/esbuild$/, 'esbuild']
];

/** The command that runs instead of an installed tool's `file`, where the sandbox has one. */
export function replacedTool({ sync }: ProcessContext, file: string): string | null {
	const found = REPLACED.find(([entry]) => entry.test(file));
	return found && sync.programs().includes(found[1]) ? found[1] : null;
}

/** Runs it with the same arguments, streams and environment. @returns its exit code */
export async function runReplacement(context: ProcessContext, tool: string, args: string[]): Promise<number> {
	const { sync, async, cwd, env } = context;
	const pid = sync.spawn({ argv: [`/usr/bin/${tool}`, ...args], cwd, env });
	return (await async.waitPid(pid)).code;
}
