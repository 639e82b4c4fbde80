/** A program gets `ECONNREFUSED`, as from a network that does not let it out. */
export class EgressRefused extends Error {
	override readonly name = 'EgressRefused';
	readonly code = 'ECONNREFUSED';
}
