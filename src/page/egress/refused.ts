/** A refused request; the program gets `ECONNREFUSED`, as from a network that blocks it. */
export class EgressRefused extends Error {
	override readonly name = 'EgressRefused';
	readonly code = 'ECONNREFUSED';
}
