import { AwkError } from './faults.ts';
import { AwkArray, type Value } from './values.ts';

/** Prevents a program in a sandbox from accessing files that are not on its command line. */
export function refuseFile(name: string): void {
	if (name === '' || /^(?:[A-Za-z_]\w*::)?[A-Za-z_]\w*=/.test(name)) return;
	throw new AwkError(`cannot add a new file (${name}) to ARGV in sandbox mode`);
}

/** Sets an element, unless it holds an array. */
export function setElement(array: AwkArray, key: string, value: Value): void {
	if (array.get(key) instanceof AwkArray)
		throw new AwkError(`attempt to use array \`${array.labelOf(key)}' in a scalar context`);
	array.set(key, value);
}
