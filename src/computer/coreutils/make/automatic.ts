import type { Prerequisite, TargetFile } from './files.ts';
import { suffixesOf } from './suffix-rules.ts';
import type { MakeState } from './state.ts';
import { scopeOf } from './target-variables.ts';
import { Scope } from './variables.ts';

/** Scope of a target with `$@`, `$<`, `$^` and the others. @param seen values used instead of the target's own */
export async function automaticScope(
	state: MakeState,
	file: TargetFile,
	seen: { prerequisites?: readonly Prerequisite[]; stem?: string | null; isDefault?: boolean } = {}
): Promise<Scope> {
	const scope = new Scope(await scopeOf(state, file));
	const all = (seen.prerequisites ?? file.prerequisites).filter(({ isExtra }) => !isExtra);
	const normal = all.filter(({ isOrderOnly }) => !isOrderOnly).map(({ file: { name } }) => name);
	const changed = all.filter((one) => !one.isOrderOnly && one.changed).map(({ file: { name } }) => name);
	const order = all.filter(({ isOrderOnly }) => isOrderOnly).map(({ file: { name } }) => name);
	const values: Record<string, string> = {
		'@': file.name,
		'*': seen.stem ?? file.stem ?? withoutSuffix(state, file.name),
		'<': seen.isDefault ? file.name : (normal[0] ?? ''),
		'^': unique(normal),
		'+': normal.join(' '),
		'?': unique(changed),
		'|': unique(order.filter((name) => !normal.includes(name))),
		'%': ''
	};
	for (const [name, value] of Object.entries(values)) scope.define(name, value, 'automatic');
	return scope;
}

const unique = (names: readonly string[]): string => [...new Set(names)].join(' ');

/** `$*` of an explicit rule: the name without a known suffix. */
function withoutSuffix(state: MakeState, name: string): string {
	const suffix = suffixesOf(state.files).find((one) => name.length > one.length && name.endsWith(one));
	return suffix === undefined ? '' : name.slice(0, name.length - suffix.length);
}
