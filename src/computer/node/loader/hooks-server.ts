import { Module } from './commonjs.ts';
import { formatOf, readModule } from './esm.ts';
import { pathOfUrl } from './files.ts';
import { askHooks, type Hook, type LoadContext, type Loaded, type Resolution, type ResolveContext } from './hooks.ts';
import type { HooksAnswer, HooksRequest, HooksStart, Registered } from './hooks-protocol.ts';

/** Key of {@link serveHooks} in `node:module`, for the thread started with it. */
export const SERVE = Symbol.for('sandglass.serveHooks');

interface HooksModule {
	initialize?: (data: unknown) => unknown;
	resolve?: Hook<ResolveContext, Promise<Resolution>>;
	load?: Hook<LoadContext, Promise<Loaded>>;
}

interface NodePort {
	on(event: 'message', listener: (request: HooksRequest) => void): void;
}

/** Answers requests of a program's loader with the hooks registered here. */
export function serveHooks({ port, answers }: HooksStart): void {
	const resolve: Hook<ResolveContext, Promise<Resolution>>[] = [];
	const load: Hook<LoadContext, Promise<Loaded>>[] = [];
	const add = async ({ specifier, parentURL, data }: HooksRequest & { kind: 'register' }): Promise<Registered> => {
		const hooks = (await Module.host.esm.import(specifier, pathOf(parentURL))) as HooksModule;
		await hooks.initialize?.(data);
		// A hook may answer synchronously; its caller gets a promise in any case.
		if (hooks.resolve) resolve.push(async (...given) => hooks.resolve!(...given));
		if (hooks.load) load.push(async (...given) => hooks.load!(...given));
		return { resolve: resolve.length > 0, load: load.length > 0 };
	};
	const handle = (request: HooksRequest): Promise<Registered | Resolution | Loaded> => {
		if (request.kind === 'register') return add(request);
		if (request.kind === 'resolve') return askHooks(resolve, request.specifier, request.context, resolvedByLoader);
		return askHooks(load, request.url, request.context, loadedByLoader);
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

async function resolvedByLoader(specifier: string, { parentURL }: ResolveContext): Promise<Resolution> {
	const url = Module.host.esm.resolve(specifier, pathOf(parentURL));
	return { url, format: formatOf(Module.host.files, url) };
}

async function loadedByLoader(url: string, context: LoadContext): Promise<Loaded> {
	return readModule(Module.host.files, url, context);
}

function failed(thrown: unknown): HooksAnswer {
	const error = thrown instanceof Error ? thrown : new Error(String(thrown));
	const { name, message, stack } = error;
	const code: unknown = Reflect.get(error, 'code');
	return { ok: false, error: { name, message, stack, code: typeof code === 'string' ? code : undefined } };
}

/** Path from which a relative specifier is resolved. */
function pathOf(url: string | undefined): string {
	const path = pathOfUrl(url ?? '');
	return path.startsWith('/') ? path : `${process.cwd()}/[eval]`;
}
