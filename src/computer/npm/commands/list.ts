import type { ProcessContext } from '#computer/process/program.ts';
import type { Output } from '../output.ts';
import { computeFlags } from '../tree/flags.ts';
import { hiddenLockPath, lockPath, readLock } from '../tree/lockfile.ts';
import type { TreeNode } from '../tree/node.ts';
import { readPackage } from '../tree/package.ts';
import { openProject, plantProject } from '../tree/project.ts';

/** `npm ls [package…]`. @returns 1 if something is missing or invalid, or nothing with that name is installed */
export function listCommand(
	context: ProcessContext,
	output: Output,
	project: string,
	words: string[],
	flags: string[]
): number {
	const { sync } = context;
	const root = openProject(sync, project, readPackage(sync, project));
	plantProject(sync, project, root, readLock(sync, hiddenLockPath(project)) ?? readLock(sync, lockPath(project)) ?? {});
	const all = flags.includes('--all') || flags.includes('-a') || words.length > 0;
	const needs = computeFlags(root);
	const problems: string[] = [];
	let shown = 0;
	const seen = new Set<TreeNode>();
	const isWanted = (node: TreeNode, above: Set<TreeNode>): boolean =>
		words.length === 0 ||
		words.includes(node.name) ||
		children(node).some(({ node: child }) => child && !above.has(child) && isWanted(child, new Set([...above, child])));
	const children = (node: TreeNode) =>
		(node.target ?? node)
			.edges()
			.filter(({ kind }) => kind !== 'peerOptional' && (kind !== 'peer' || node === root))
			.map((edge) => ({ edge, node: (node.target ?? node).find(edge.name) }));
	const lines: string[] = [];
	const walk = (node: TreeNode, indent: string, depth: number): void => {
		const below = children(node).filter((child) => !child.node || isWanted(child.node, new Set([node, child.node])));
		for (const [index, { edge, node: child }] of below.entries()) {
			const isLast = index === below.length - 1;
			const fork = `${indent}${isLast ? '└' : '├'}─`;
			if (!child) {
				if (edge.kind === 'optional') continue;
				problems.push(`missing: ${edge.name}@${edge.range}, required by ${node.packageName}@${node.version}`);
				if (words.length === 0) lines.push(`${fork}─ UNMET DEPENDENCY ${edge.name}@${edge.range}`);
				continue;
			}
			const fits = child.fits(edge.range);
			if (!fits) problems.push(`invalid: ${child.packageName}@${child.version} ${project}/${child.location}`);
			const again = seen.has(child);
			const alias = child.packageName === child.name ? child.name : `${child.name}@npm:${child.packageName}`;
			const deeper = all && !again && children(child).length > 0;
			const place = child.target ? ` -> ./${child.target.location}` : '';
			lines.push(
				`${fork}${deeper ? '┬' : '─'} ${alias}@${child.version}${place}${fits ? '' : ' invalid'}${again && all ? ' deduped' : ''}`
			);
			shown++;
			seen.add(child);
			if (deeper) walk(child, `${indent}${isLast ? ' ' : '│'} `, depth + 1);
		}
	};
	walk(root, '', 0);
	const extraneous = [...root.children.values()].filter((node) => needs.get(node)?.extraneous);
	const { name, version } = root.manifest;
	output.print(`${name ? `${name}${version ? `@${version}` : ''} ` : ''}${project}`);
	output.print(...(lines.length > 0 ? lines : ['└── (empty)']));
	for (const node of extraneous)
		problems.push(`extraneous: ${node.packageName}@${node.version} ${project}/${node.location}`);
	output.print('');
	if (problems.length > 0) output.error('code ELSPROBLEMS', ...problems);
	return problems.length > 0 || (words.length > 0 && shown === 0) ? 1 : 0;
}
