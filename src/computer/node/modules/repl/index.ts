import { callable } from '../callable.ts';
import { nodeError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { ReplContexts, type Vm } from './context.ts';
import { Recoverable } from './recoverable.ts';
import { createWriter, ReplServer, type ReplParts } from './server.ts';
import { syntax } from './syntax/load.ts';

/** Makes the program's own prompt: see {@link createRepl}. */
export const STANDALONE = Symbol('sandglass.repl.standalone');

const field = (module: unknown, name: string): unknown => Reflect.get(module as object, name);

/** `node:repl`. */
export function createRepl(runtime: Runtime, get: (name: string) => unknown): Record<PropertyKey, unknown> {
	const names = field(get('module'), 'builtinModules') as string[];
	let builtinModules = names.filter((name) => !name.startsWith('_'));
	const modes = { sloppy: Symbol('repl-sloppy'), strict: Symbol('repl-strict') };
	const libraries = builtinModules.filter((name) => !name.includes('/'));
	const writer = createWriter();
	const parts: ReplParts = {
		runtime,
		contexts: new ReplContexts(runtime, get('vm') as Vm, libraries, get),
		files: sessionFiles(runtime),
		libraries: builtinModules,
		createDomain: field(get('domain'), 'create') as ReplParts['createDomain'],
		modes,
		writer,
		refuseListeners: listenerRefusal(runtime),
		homeDirectory: field(get('os'), 'homedir') as () => string
	};
	const REPLServer = callable(
		class REPLServer extends ReplServer {
			constructor(...given: unknown[]) {
				super(parts, given);
			}
		}
	);
	const module: Record<PropertyKey, unknown> = {
		start: (...given: unknown[]) => new REPLServer(...given),
		writer,
		REPLServer,
		REPL_MODE_SLOPPY: modes.sloppy,
		REPL_MODE_STRICT: modes.strict,
		Recoverable,
		isValidSyntax: (code: string) => syntax().isValidSyntax(code)
	};
	for (const name of ['builtinModules', '_builtinLibs']) {
		Object.defineProperty(module, name, {
			get: () => builtinModules,
			set: (value: string[]) => void (builtinModules = value),
			configurable: true
		});
	}
	const standalone = (options: object) => (module['repl'] = new ReplServer(parts, [options], true));
	return Object.defineProperty(module, STANDALONE, { value: standalone });
}

/** Makes statements of prompts unable to listen to uncaught errors: the domain of the prompt is there for them. */
function listenerRefusal({ process }: Runtime): ReplParts['refuseListeners'] {
	const domains = new WeakSet<object>();
	let isWatching = false;
	return (domain) => {
		domains.add(domain);
		if (isWatching) return;
		isWatching = true;
		process.prependListener('newListener', (event: unknown) => {
			const active: unknown = Reflect.get(process, 'domain');
			if (event !== 'uncaughtException' || typeof active !== 'object' || active === null || !domains.has(active))
				return;
			const words = 'Listeners for `uncaughtException` cannot be used in the REPL';
			throw nodeError(TypeError, 'ERR_INVALID_REPL_INPUT', words);
		});
	};
}

function sessionFiles({ sys, resolvePath }: Runtime): ReplParts['files'] {
	return {
		write: (path, text) => sys.writeFile(resolvePath(path), new TextEncoder().encode(text)),
		read: (path) => {
			const file = resolvePath(path);
			return sys.stat(file).kind === 'file' ? new TextDecoder().decode(sys.readFile(file)) : null;
		}
	};
}
