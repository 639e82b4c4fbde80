/** Explanation in the decision on a question that needed no answer after all. */
export const SETTLED_BY_CHANGE = 'Not answered: the mode or the rules changed and settled it.';

/** Rejection of an open question that a change of mode or rules has settled. */
export class QuestionWithdrawn extends Error {
	override readonly name = 'QuestionWithdrawn';

	constructor() {
		super(SETTLED_BY_CHANGE);
	}
}
