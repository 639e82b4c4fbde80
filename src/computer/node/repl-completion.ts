import { evaluate } from './loader/evaluate.ts';

/** Completes names in a statement typed so far: of the global scope, or of the object before the last dot. */
export function completeStatement(typed: string): [choices: string[], completed: string] {
	const [completed = '', , path = '', prefix = ''] = /(?:^|[^\w$.])((?:([\w$][\w$.]*)\.)?([\w$]*))$/.exec(typed) ?? [];
	const word = path === '' ? prefix : `${path}.${prefix}`;
	const holder: unknown = path === '' ? globalThis : valueOf(path);
	if (completed === '' || word === '' || holder === undefined || holder === null) return [[], word];
	const lead = path === '' ? '' : `${path}.`;
	const choices = [...names(Object(holder))].filter((name) => name.startsWith(prefix)).sort();
	return [choices.map((name) => lead + name), word];
}

/** Only names and dots: nothing but getters is called. */
function valueOf(path: string): unknown {
	if (!/^[A-Za-z_$]/.test(path)) return undefined;
	try {
		return evaluate(`(${path})`, 'REPL-completion');
	} catch {
		// A missing object has no names.
		return undefined;
	}
}

function* names(holder: object): Iterable<string> {
	const seen = new Set<string>();
	for (let from: object | null = holder; from; from = Reflect.getPrototypeOf(from)) {
		for (const name of Object.getOwnPropertyNames(from)) {
			if (seen.has(name) || !/^[A-Za-z_$][\w$]*$/.test(name)) continue;
			seen.add(name);
			yield name;
		}
	}
}
