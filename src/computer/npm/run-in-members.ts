import type { ProcessContext } from '#computer/process/program.ts';
import type { Selection } from './managers/order.ts';
import { type Manifest, findManifest } from './manifest.ts';
import { chooseMembers, inOrder, membersOf } from './members.ts';
import type { Output } from './output.ts';
import { runScript, type RunOptions } from './run-script.ts';
import { projectAbove } from './tree/workspaces.ts';

/**
 * Selected packages; `null` if none is named: then the current one is used.
 * @param sorted sorts each after its dependencies
 * @throws NpmError if a name matches none
 */
export function chosen(context: ProcessContext, selection: Selection | null, sorted = false): Manifest[] | null {
	if (selection === null) return null;
	const { sync, cwd } = context;
	const project = projectAbove(sync, findManifest(sync, cwd).directory);
	const members = selection === 'all' ? membersOf(sync, project) : chooseMembers(sync, project, selection);
	return sorted ? inOrder(sync, members) : members;
}

/** @param goOn whether to continue after a failure. @returns the exit code of the first failure, otherwise 0 */
export async function runInMembers(
	context: ProcessContext,
	output: Output,
	members: readonly Manifest[],
	script: string,
	{ goOn, ...options }: RunOptions & { goOn: boolean }
): Promise<number> {
	return inTurn(members, goOn, (member) => runScript(context, output, member, script, options));
}

/** Calls a function with each of `members` as the working directory, or here if no members are selected. */
export async function eachMember(
	context: ProcessContext,
	members: readonly Manifest[] | null,
	goOn: boolean,
	run: (where: ProcessContext) => Promise<number>
): Promise<number> {
	if (members === null) return run(context);
	return inTurn(members, goOn, ({ directory }) => run(workingIn(context, directory)));
}

/** Returns the same context with another working directory. */
export const workingIn = (context: ProcessContext, cwd: string): ProcessContext => ({
	...context,
	cwd,
	env: { ...context.env, PWD: cwd }
});

async function inTurn(
	members: readonly Manifest[],
	goOn: boolean,
	run: (member: Manifest) => Promise<number>
): Promise<number> {
	let failed = 0;
	for (const member of members) {
		failed = (await run(member)) || failed;
		if (failed !== 0 && !goOn) break;
	}
	return failed;
}
