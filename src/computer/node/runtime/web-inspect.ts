import { inspect, type InspectOptions } from 'node-inspect-extracted';

type Show = (value: never) => unknown;

/** Classes of the browser with the text Node prints: the fields that Node shows. */
const SHOWN: [name: string, show: Show][] = [
	[
		'URL',
		(url: URL) =>
			pick(url, [
				'href',
				'origin',
				'protocol',
				'username',
				'password',
				'host',
				'hostname',
				'port',
				'pathname',
				'search',
				'searchParams',
				'hash'
			])
	],
	['AbortController', (controller: AbortController) => pick(controller, ['signal'])],
	['AbortSignal', (signal: AbortSignal) => pick(signal, ['aborted'])],
	['Blob', (blob: Blob) => pick(blob, ['size', 'type'])],
	['File', (file: File) => pick(file, ['size', 'type', 'name', 'lastModified'])],
	['Headers', (headers: Headers) => Object.fromEntries(headers)],
	[
		'Request',
		(request: Request) =>
			pick(request, [
				'method',
				'url',
				'headers',
				'destination',
				'referrer',
				'mode',
				'credentials',
				'cache',
				'redirect',
				'integrity',
				'keepalive',
				'signal'
			])
	],
	[
		'Response',
		(response: Response) =>
			pick(response, ['status', 'statusText', 'headers', 'body', 'bodyUsed', 'ok', 'redirected', 'type', 'url'])
	]
];

function pick(value: object, names: string[]): Record<string, unknown> {
	return Object.fromEntries(names.map((name) => [name, Reflect.get(value, name) as unknown]));
}

const custom = Symbol.for('nodejs.util.inspect.custom');

/** Makes `console.log(new URL(…))` and similar calls print the same as in Node. */
export function installWebInspect(): void {
	for (const [name, show] of SHOWN) {
		define(name, (value, depth, options) => {
			if (depth < 0) return `[${name}]`;
			return `${name} ${inspect(show(value as never), { ...options, depth: options.depth ?? 2 })}`;
		});
	}
	define('URLSearchParams', (value, _depth, options) => {
		const pairs = [...(value as URLSearchParams)].map(
			([key, text]) => `${inspect(key, options)} => ${inspect(text, options)}`
		);
		return pairs.length > 0 ? `URLSearchParams { ${pairs.join(', ')} }` : 'URLSearchParams {}';
	});
	define('FormData', (value, _depth, options) => `FormData ${inspect(Object.fromEntries(value as FormData), options)}`);
}

type Custom = (value: object, depth: number, options: InspectOptions) => string;

function define(name: string, show: Custom): void {
	const holder: unknown = Reflect.get(globalThis, name);
	if (typeof holder !== 'function' || Object.hasOwn(holder.prototype as object, custom)) return;
	Object.defineProperty(holder.prototype, custom, {
		configurable: true,
		// SvelteKit assigns its own to a URL.
		writable: true,
		value(this: object, depth: number, options: InspectOptions) {
			// The prototype itself, not an instance, has no fields to read.
			return this === holder.prototype ? `Object [${name}] {}` : show(this, depth, options);
		}
	});
}
