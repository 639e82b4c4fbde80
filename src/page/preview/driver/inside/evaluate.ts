/** Depth to which a value is taken over. */
const MOST_LEVELS = 12;

/**
 * Runs an expression, or the body of an async function, as the page's own scripts run, and returns its value as JSON.
 * It is put in as a script element: a closed preview's policy lets no string be evaluated.
 */
export async function evaluate(script: string): Promise<string> {
	const value = await await (compiled(`return (${script}\n);`) ?? compiled(script) ?? noProgram(script))();
	return JSON.stringify(plain(value, 0)) ?? 'undefined';
}

/** Calls a function of a test, given as text, with these arguments, and returns its value as JSON. */
export async function callInPage(source: string, given: unknown[]): Promise<string> {
	const make = compiled(`return (${source}\n);`) ?? noProgram(source);
	const call = await make();
	const value = await (typeof call === 'function' ? (call as (...values: unknown[]) => unknown)(...given) : call);
	return JSON.stringify(plain(value, 0)) ?? 'undefined';
}

/** The function with that body; `null` where it is no program. */
function compiled(body: string): (() => Promise<unknown>) | null {
	const name = `sandglass${Math.random().toString(36).slice(2)}`;
	const script = document.createElement('script');
	script.textContent = `globalThis[${JSON.stringify(name)}] = async () => {${body}\n};`;
	// What is wrong with the text is the caller's, and no error of the page.
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

/** Values without a JSON form become a text that describes them. */
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
