import { expand } from './expand.ts';
import type { Expansion } from './expansion.ts';
import type { TargetAssignment } from './rules.ts';
import type { Origin } from './variables.ts';

/** Sets a variable as its operator says: `=`, `:=`, `?=`, `+=` or `!=`. */
export async function assign(
	scope: Expansion,
	{ name, operator, value }: TargetAssignment,
	origin: Origin
): Promise<void> {
	const { variables } = scope;
	const before = variables.find(name);
	if (operator === '?=' && before) return;
	if (operator === '!=') {
		variables.set(name, { value: await scope.shell(await expand(scope, value)), recursive: false, origin });
	} else if (operator === '+=' && before) {
		const more = before.recursive ? value : await expand(scope, value);
		const joined = before.value === '' ? more : `${before.value} ${more}`;
		variables.set(name, { value: joined, recursive: before.recursive, origin });
	} else if (operator.startsWith(':')) {
		variables.set(name, { value: await expand(scope, value), recursive: false, origin });
	} else variables.set(name, { value, recursive: true, origin });
}
