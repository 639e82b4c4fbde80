import { NODE_VERSION } from '#computer/abi/versions.ts';
import { nodeError } from './errors.ts';

/** Number of processors of the device, read before the browser's `navigator` is replaced. */
export const PROCESSORS = globalThis.navigator?.hardwareConcurrency || 1;

const CONSTRUCTED = Symbol('constructed by the global scope');

/** Node's `navigator`: describes this computer, and nothing of the browser. */
class Navigator {
	constructor(key?: unknown) {
		if (key !== CONSTRUCTED) throw nodeError(TypeError, 'ERR_ILLEGAL_CONSTRUCTOR', 'Illegal constructor');
	}

	get hardwareConcurrency(): number {
		return PROCESSORS;
	}

	get language(): string {
		return 'en-US';
	}

	get languages(): readonly string[] {
		return Object.freeze([this.language]);
	}

	get userAgent(): string {
		return `Node.js/${/\d+/.exec(NODE_VERSION)?.[0] ?? ''}`;
	}

	get platform(): string {
		return 'Linux x86_64';
	}
}

for (const name of ['hardwareConcurrency', 'language', 'languages', 'userAgent', 'platform'])
	Object.defineProperty(Navigator.prototype, name, { enumerable: true });

/** Replaces the browser's `navigator` and its class. */
export function installNavigator(): void {
	const navigator = new Navigator(CONSTRUCTED);
	Object.defineProperty(globalThis, 'navigator', { get: () => navigator, enumerable: true, configurable: true });
	Object.defineProperty(globalThis, 'Navigator', { value: Navigator, writable: true, configurable: true });
}
