import type { SyncSyscalls } from '#computer/abi/client.ts';
import { inside } from '../manifest.ts';
import { DEPENDENCY_KINDS } from '../registry/packument.ts';
import { parseSpec } from '../registry/spec.ts';

/** Range written to package.json: `^` and the chosen version, unless a range or another source was given. */
export function savedRange(name: string, asked: string, version: string, exact: boolean): string {
	const spec = parseSpec(name, asked);
	const chosen = exact ? version : `^${version}`;
	if (spec.kind === 'alias') {
		const inner = spec.spec.kind === 'range' && spec.spec.range !== '*' ? spec.spec.range : chosen;
		return `npm:${spec.name}@${inner}`;
	}
	if (spec.kind === 'tag' || (spec.kind === 'range' && spec.range === '*')) return chosen;
	return asked;
}

/** Changes the dependencies in the text of package.json and keeps its indentation. */
export function editPackage(
	sync: SyncSyscalls,
	directory: string,
	add: Record<string, Record<string, string>>,
	remove: string[]
): void {
	const file = inside(directory, 'package.json');
	const text = sync.statOrNull(file) ? new TextDecoder().decode(sync.readFile(file)) : '{}\n';
	const json: Record<string, unknown> = Object(JSON.parse(text));
	for (const kind of DEPENDENCY_KINDS) {
		const known = json[kind];
		const rest = Object.entries(Object(known)).filter(([name]) => !remove.includes(name));
		const list = Object.fromEntries(
			[...rest, ...Object.entries(add[kind] ?? {})].sort(([a], [b]) => a.localeCompare(b, 'en'))
		);
		if (Object.keys(list).length > 0) json[kind] = list;
		else if (known !== undefined && Object.keys(Object(known)).length > 0) delete json[kind];
	}
	const indent = /^[{[]\s*?\n([ \t]+)/.exec(text)?.[1] ?? '  ';
	sync.writeFile(file, new TextEncoder().encode(`${JSON.stringify(json, null, indent)}\n`));
}
