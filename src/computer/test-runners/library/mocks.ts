import { clearAllMocks, fn, isMockFunction, resetAllMocks, restoreAllMocks, spyOn } from '@vitest/spy';
import { Clock } from './clock.ts';
import type { ModuleMocks } from './module-mocks.ts';

const realSetTimeout = globalThis.setTimeout;

/** Creates `vi` of vitest. */
export function createVi(modules: ModuleMocks) {
	const clock = new Clock();
	const globals = new Map<PropertyKey, PropertyDescriptor | undefined>();
	const variables = new Map<string, string | undefined>();
	const environment = (): Record<string, string | undefined> =>
		Object(Reflect.get(Object(Reflect.get(globalThis, 'process')), 'env'));
	/** Returned by calls, for chaining. */
	const chain: { vi: object } = { vi: {} };
	const vi = {
		...clock.methods(() => chain.vi),
		fn,
		spyOn,
		isMockFunction,
		mocked: <Value>(value: Value): Value => value,
		hoisted: <Value>(make: () => Value): Value => make(),
		clearAllMocks: () => (clearAllMocks(), chain.vi),
		resetAllMocks: () => (resetAllMocks(), chain.vi),
		restoreAllMocks: () => (restoreAllMocks(), chain.vi),
		stubGlobal(name: PropertyKey, value: unknown) {
			if (!globals.has(name)) globals.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
			Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
			return chain.vi;
		},
		unstubAllGlobals() {
			for (const [name, descriptor] of globals) {
				if (descriptor) Object.defineProperty(globalThis, name, descriptor);
				else Reflect.deleteProperty(globalThis, name);
			}
			globals.clear();
			return chain.vi;
		},
		stubEnv(name: string, value: string | undefined) {
			const env = environment();
			if (!variables.has(name)) variables.set(name, env[name]);
			if (value === undefined) delete env[name];
			else env[name] = value;
			return chain.vi;
		},
		unstubAllEnvs() {
			const env = environment();
			for (const [name, value] of variables) {
				if (value === undefined) delete env[name];
				else env[name] = value;
			}
			variables.clear();
			return chain.vi;
		},
		waitFor: <Value>(check: () => Value | Promise<Value>, options?: WaitOptions | number) => waitFor(check, options),
		async waitUntil<Value>(check: () => Value | Promise<Value>, options?: WaitOptions | number): Promise<Value> {
			return waitFor(async () => {
				const value = await check();
				if (!value) throw new Error('Timed out in waitUntil!');
				return value;
			}, options);
		},
		mock: (path: unknown, how?: unknown) => (modules.mock(path, how), chain.vi),
		doMock: (path: unknown, how?: unknown) => (modules.mock(path, how), chain.vi),
		unmock: (path: unknown) => (modules.unmock(path), chain.vi),
		doUnmock: (path: unknown) => (modules.unmock(path), chain.vi),
		importActual: (path: unknown) => modules.importActual(path),
		importMock: (path: unknown) => modules.importMock(path),
		resetModules: () => (modules.resetModules(), chain.vi),
		in: (file: string) => modules.in(file)
	};
	chain.vi = vi;
	return vi;
}

/** Creates `jest`, adding what differs from `vi`. */
export function createJest(vi: ReturnType<typeof createVi>, modules: ModuleMocks) {
	const jest = {
		...vi,
		mock: (path: unknown, factory?: unknown) => (modules.mock(path, factory), jest),
		doMock: (path: unknown, factory?: unknown) => (modules.mock(path, factory), jest),
		unmock: (path: unknown) => (modules.unmock(path), jest),
		deepUnmock: (path: unknown) => (modules.unmock(path), jest),
		dontMock: (path: unknown) => (modules.unmock(path), jest),
		requireActual: (path: unknown) => modules.requireActual(path),
		requireMock: (path: unknown) => modules.requireMock(path),
		createMockFromModule: (path: unknown) => modules.requireMock(path),
		resetModules: () => (modules.resetModules(), jest),
		isolateModules: (work: () => void) => (modules.isolate(work), jest),
		setTimeout: () => undefined,
		runOnlyPendingTimers: vi.runOnlyPendingTimers,
		replaceProperty(object: object, name: PropertyKey, value: unknown) {
			const before = Object.getOwnPropertyDescriptor(object, name);
			Object.defineProperty(object, name, { ...before, value });
			return { restore: () => before && Object.defineProperty(object, name, before) };
		}
	};
	return jest;
}

interface WaitOptions {
	timeout?: number;
	interval?: number;
}

async function waitFor<Value>(check: () => Value | Promise<Value>, options: WaitOptions | number = {}): Promise<Value> {
	const { timeout = 1000, interval = 50 } = typeof options === 'number' ? { timeout: options } : options;
	const untilMs = performance.now() + timeout;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (performance.now() > untilMs) throw error;
		}
		await new Promise((resolve) => realSetTimeout(resolve, interval));
	}
}
