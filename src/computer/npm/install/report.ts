import { insteadOf } from '#computer/process/native-packages.ts';
import type { TreeNode } from '../tree/node.ts';
import type { Changes } from './reify.ts';

/** Warnings about packages that cannot work here, with alternatives: those that build something during installation. */
export function warnings({ builds, skipped, withoutParts }: Changes): string[] {
	const lines: string[] = [];
	for (const { node, builds: kind, standIn } of builds) {
		const id = `${node.packageName}@${node.version}`;
		if (standIn !== null)
			lines.push(
				`${id} is a native program, which cannot run here: ${standIn}, the same in WebAssembly, is in its place.`
			);
		else if (kind === 'native')
			lines.push(
				`${id} is a native addon, which cannot run in a browser tab. ${insteadOf(node.packageName) ?? 'Look for one made of JavaScript or WebAssembly.'}`
			);
		else
			lines.push(
				`${id} has an install script, which was not run: the sandbox runs none. Run what it needs yourself if it is JavaScript.`
			);
	}
	const isTold = (node: TreeNode) => builds.some((build) => build.node === node);
	for (const { node, instead } of withoutParts.filter((one) => !isTold(one.node)))
		lines.push(
			`${node.packageName}@${node.version} is native code alone, which cannot run here. ${instead ?? 'What needs it does not start.'}`
		);
	if (skipped.length > 0) {
		const names = skipped
			.slice(0, 3)
			.map((node) => node.packageName)
			.join(', ');
		lines.push(
			`${skipped.length} optional package${skipped.length === 1 ? ' is' : 's are'} native code and left out: ${names}${skipped.length > 3 ? ' …' : ''}`
		);
	}
	return lines;
}

/** Formats `added 3 packages, and changed 1 package in 2s`, as npm does. */
export function summary({ added, changed, removed }: Changes, durationMs: number): string {
	const count = (number: number) => `${number} package${number === 1 ? '' : 's'}`;
	const parts = [
		...(added.length > 0 ? [`added ${count(added.length)}`] : []),
		...(removed.length > 0 ? [`removed ${count(removed.length)}`] : []),
		...(changed.length > 0 ? [`changed ${count(changed.length)}`] : [])
	];
	const last = parts.length > 1 ? `and ${parts.pop()}` : '';
	const text = parts.length === 0 ? 'up to date' : [...parts, ...(last ? [last] : [])].join(', ');
	const time =
		durationMs < 1000
			? `${Math.round(durationMs)}ms`
			: durationMs < 60_000
				? `${Math.round(durationMs / 1000)}s`
				: `${Math.round(durationMs / 60_000)}m`;
	return `${text} in ${time}`;
}
