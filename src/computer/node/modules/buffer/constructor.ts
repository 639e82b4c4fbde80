import { Buffer as Plain } from 'buffer';
import { deprecateOnce } from '../../runtime/deprecation.ts';
import { invalidArgument } from '../../runtime/errors.ts';
import { positionOf } from '../../runtime/stack.ts';

const WORDS =
	'Buffer() is deprecated due to security and usability issues. Please use the Buffer.alloc(), Buffer.allocUnsafe(), or Buffer.from() methods instead.';

interface Warns {
	execArgv: readonly string[];
	emitWarning(...given: unknown[]): void;
}

/** Warns about `Buffer()` in a program's own code; its author cannot change packages. */
function warn(): void {
	const { process } = globalThis as { process?: Warns };
	if (!process) return;
	const isAsked = process.execArgv.includes('--pending-deprecation');
	if (!isAsked && /[/\\]node_modules[/\\]/.test(positionOf(new Error())?.file ?? '')) return;
	deprecateOnce(process, WORDS, 'DEP0005');
}

/** Class for programs: that of the package, with Node's deprecated constructor. */
function Constructor(this: unknown, value: unknown, encoding?: unknown, length?: unknown): Plain {
	warn();
	const { from, alloc } = Plain as unknown as Record<'from' | 'alloc', (...args: unknown[]) => Plain>;
	if (typeof value !== 'number') return from(value, encoding, length);
	if (typeof encoding === 'string') throw invalidArgument('string', 'of type string', value);
	return alloc(value);
}

/** Created once all methods are in place. */
export function programsBuffer(): typeof Plain {
	Object.setPrototypeOf(Constructor, Uint8Array);
	Object.defineProperties(Constructor, {
		...Object.getOwnPropertyDescriptors(Plain),
		name: { value: 'Buffer', configurable: true },
		length: { value: 2, configurable: true },
		of: { value: (...bytes: number[]) => Plain.of(...bytes), writable: true, configurable: true },
		// Results of `map`, `filter` and `subarray` are created without a warning.
		[Symbol.species]: { get: () => Plain, configurable: true }
	});
	Object.defineProperty(Plain.prototype, 'constructor', { value: Constructor, writable: true, configurable: true });
	return Constructor as unknown as typeof Plain;
}
