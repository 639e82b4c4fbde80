import { Module } from './commonjs.ts';
import { formatOf, readModule } from './esm.ts';
import type { LoadContext, Loaded, Resolution, ResolveContext } from './hooks.ts';
import type { HooksAnswer, HooksRequest, HooksStart, Registered } from './hooks-protocol.ts';

/** Key of {@link serveHooks} in `node:module`, for the thread that is started with it. */
export const SERVE = Symbol.for('sandglass.serveHooks');

type Awaitable<Value> = Value | Promise<Value>;
type Next<Context, Result> = (name: string, context?: Partial<Context>) => Promise<Result>;
type Hook<Context, Result> = (name: string, context: Context, next: Next<Context, Result>) => Awaitable<Result>;

interface HooksModule {
	initialize?: (data: unknown) => unknown;
	resolve?: Hook<ResolveContext, Resolution>;
	load?: Hook<LoadContext, Loaded>;
}

interface NodePort {
	on(event: 'message', listener: (request: HooksRequest) => void): void;
}

/** Answers a program's loader with the hooks that it registers. */
export function serveHooks({ port, answers }: HooksStart): void {
	const resolve: Hook<ResolveContext, Resolution>[] = [
		(specifier, { parentURL }) => {
			const url = Module.host.esm.resolve(specifier, pathOf(parentURL));
			return { url, format: formatOf(Module.host.files, url) };
		}
	];
	const load: Hook<LoadContext, Loaded>[] = [(url, context) => readModule(Module.host.files, url, context)];
	const add = async ({ specifier, parentURL, data }: HooksRequest & { kind: 'register' }): Promise<Registered> => {
		const hooks = (await Module.host.esm.import(specifier, pathOf(parentURL))) as HooksModule;
		await hooks.initialize?.(data);
		if (hooks.resolve) resolve.push(hooks.resolve);
		if (hooks.load) load.push(hooks.load);
		return { resolve: resolve.length > 1, load: load.length > 1 };
	};
	const handle = (request: HooksRequest): Promise<Registered | Resolution | Loaded> => {
		if (request.kind === 'register') return add(request);
		if (request.kind === 'resolve') return ask(resolve, request.specifier, request.context);
		return ask(load, request.url, request.context);
	};
	(port as unknown as NodePort).on('message', (request) => {
		void handle(request)
			.then((value): HooksAnswer => ({ ok: true, value }), failed)
			.then((answer) => {
				port.postMessage(answer);
				Atomics.add(answers, 0, 1);
				Atomics.notify(answers, 0);
			});
	});
}

/** Asks the newest hook first; the oldest is the loader itself. */
async function ask<Context extends object, Result>(
	hooks: readonly Hook<Context, Result>[],
	name: string,
	context: Context
): Promise<Result> {
	const at = async (index: number, given: string, whole: Context): Promise<Result> => {
		const hook = hooks[index];
		if (!hook) throw new Error('A hook asked for the next one, and there is none.');
		return hook(given, whole, (next, changed) => at(index - 1, next, { ...whole, ...changed }));
	};
	return at(hooks.length - 1, name, context);
}

function failed(thrown: unknown): HooksAnswer {
	const error = thrown instanceof Error ? thrown : new Error(String(thrown));
	const { name, message, stack } = error;
	const code: unknown = Reflect.get(error, 'code');
	return { ok: false, error: { name, message, stack, code: typeof code === 'string' ? code : undefined } };
}

/** Path that a relative specifier starts from. */
function pathOf(url: string | undefined): string {
	if (url?.startsWith('file:')) return decodeURIComponent(new URL(url).pathname);
	return url?.startsWith('/') ? url : `${process.cwd()}/[eval]`;
}
