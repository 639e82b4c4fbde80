/** Explanation in the decision of a question that nobody had to answer in the end. */
export const SETTLED_BY_CHANGE = 'Not answered: the mode or the rules changed and settled it.';

/** The mode or the rules changed and settled an open question. */
export class QuestionWithdrawn extends Error {
	override readonly name = 'QuestionWithdrawn';

	constructor() {
		super(SETTLED_BY_CHANGE);
	}
}
