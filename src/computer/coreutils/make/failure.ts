/** What ends a run of make: said after `make: *** `. */
export class MakeFailure extends Error {
	override readonly name = 'MakeFailure';
	/** @param place `file:line: `, where the makefile itself is wrong; it then stands before the stars */
	constructor(
		message: string,
		readonly place = ''
	) {
		super(message);
	}
}
