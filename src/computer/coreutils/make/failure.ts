/** Ends a run of make; printed after `make: *** `. */
export class MakeFailure extends Error {
	override readonly name = 'MakeFailure';
	/** @param place `file:line: ` for an error in the makefile itself; printed before the stars */
	constructor(
		message: string,
		readonly place = ''
	) {
		super(message);
	}
}
