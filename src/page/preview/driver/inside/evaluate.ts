/** Maximum depth of a converted value. */
const MOST_LEVELS = 12;

/**
 * Runs an expression, or the body of an async function, like one of the page's own scripts, and returns its value as
 * JSON. Uses a script element, since the policy of a sandboxed preview forbids evaluating strings.
 */
export async function evaluate(script: string): Promise<string> {
	const value = await await (compiled(`return (${script}\n);`) ?? compiled(script) ?? noProgram(script))();
	return JSON.stringify(plain(value, 0)) ?? 'undefined';
}

/** Calls a function that a test passed as text, with these arguments, and returns its value as JSON. */
export async function callInPage(source: string, given: unknown[]): Promise<string> {
	const make = compiled(`return (${source}\n);`) ?? noProgram(source);
	const call = await make();
	const value = await (typeof call === 'function' ? (call as (...values: unknown[]) => unknown)(...given) : call);
	return JSON.stringify(plain(value, 0)) ?? 'undefined';
}

/** Function with that body; `null` if it is not valid code. */
function compiled(body: string): (() => Promise<unknown>) | null {
	const name = `sandglass${Math.random().toString(36).slice(2)}`;
	const script = document.createElement('script');
	script.textContent = `globalThis[${JSON.stringify(name)}] = async () => {${body}\n};`;
	// Errors in the text are the caller's, not the page's.
	SANDGLASS_HOST.compiling.is = true;
	document.documentElement.append(script);
	SANDGLASS_HOST.compiling.is = false;
	script.remove();
	const made: unknown = Reflect.get(globalThis, name);
	Reflect.deleteProperty(globalThis, name);
	return typeof made === 'function' ? (made as () => Promise<unknown>) : null;
}

function noProgram(script: string): never {
	throw new Error(`This is neither an expression nor the body of a function: ${script.slice(0, 200)}`);
}

/** Converts values without a JSON form to a text that describes them. */
function plain(value: unknown, level: number): unknown {
	if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
	if (typeof value === 'function') return `ƒ ${value.name}`;
	if (typeof value !== 'object' || value === null) return value;
	if (value instanceof Node) return `<${value.nodeName.toLowerCase()}>`;
	if (value instanceof Error) return String(value);
	if (level > MOST_LEVELS) return '…';
	if (value instanceof Map) return [...value].map((each) => plain(each, level + 1));
	if (value instanceof Set || Array.isArray(value) || value instanceof NodeList)
		return Array.from(value, (each: unknown) => plain(each, level + 1));
	if ('toJSON' in value) return value;
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each, level + 1)]));
}
