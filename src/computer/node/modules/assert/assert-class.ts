import { nodeError } from '../../runtime/errors.ts';
import { oneOf } from '../../runtime/validate.ts';

interface AssertOptions {
	/** `full` is accepted as in Node; differences are always whole here. */
	diff?: unknown;
	/** False for the legacy comparisons. */
	strict?: unknown;
}

/** Methods that each instance has of its own. */
const COMPARISONS = ['equal', 'deepEqual', 'notEqual', 'notDeepEqual'];
const METHODS = [
	...['fail', 'ok', 'equal', 'notEqual', 'deepEqual', 'notDeepEqual', 'deepStrictEqual', 'notDeepStrictEqual'],
	...['strictEqual', 'notStrictEqual', 'partialDeepStrictEqual', 'throws', 'rejects', 'doesNotThrow'],
	...['doesNotReject', 'ifError', 'match', 'doesNotMatch']
];

/** `assert.Assert`: the functions of `node:assert` as methods. */
export function createAssertClass(loose: object, strict: object): unknown {
	class Assert {
		constructor({ diff = 'simple', strict: isStrict = true }: AssertOptions = {}) {
			oneOf(['simple', 'full'])(diff, 'options.diff');
			Object.assign(this, { AssertionError: Reflect.get(loose, 'AssertionError') });
			if (isStrict) for (const name of COMPARISONS) Object.assign(this, { [name]: Reflect.get(strict, name) });
		}
	}
	for (const name of METHODS) {
		Object.defineProperty(Assert.prototype, name, {
			value: Reflect.get(loose, name),
			writable: true,
			configurable: true
		});
	}
	return new Proxy(Assert, {
		apply() {
			const words = 'Class constructor Assert cannot be invoked without `new`';
			throw nodeError(TypeError, 'ERR_CONSTRUCT_CALL_REQUIRED', words);
		}
	});
}
