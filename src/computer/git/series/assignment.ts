/**
 * Assigns each row to a distinct column with minimal total cost, by the Hungarian method: rows are added one by one,
 * each along the cheapest chain of reassignments.
 *
 * @param costs square matrix: costs of each row by column
 * @returns the column of each row
 */
export function cheapestAssignment(costs: readonly (readonly number[])[]): number[] {
	const size = costs.length;
	// Column 0 represents the row being added; -1 means unassigned.
	const rowOf = new Array<number>(size + 1).fill(-1);
	const rowPrices = new Array<number>(size).fill(0);
	const columnPrices = new Array<number>(size + 1).fill(0);
	for (let coming = 0; coming < size; coming++) {
		rowOf[0] = coming;
		const before = new Array<number>(size + 1).fill(0);
		const least = new Array<number>(size + 1).fill(Infinity);
		const seen = new Array<boolean>(size + 1).fill(false);
		let column = 0;
		do {
			seen[column] = true;
			const row = rowOf[column]!;
			let [step, next] = [Infinity, 0];
			for (let at = 1; at <= size; at++) {
				if (seen[at]) continue;
				const price = costs[row]![at - 1]! - rowPrices[row]! - columnPrices[at]!;
				if (price < least[at]!) [least[at], before[at]] = [price, column];
				if (least[at]! < step) [step, next] = [least[at]!, at];
			}
			for (let at = 0; at <= size; at++) {
				if (seen[at]) {
					rowPrices[rowOf[at]!]! += step;
					columnPrices[at]! -= step;
				} else least[at]! -= step;
			}
			column = next;
		} while (rowOf[column] !== -1);
		for (; column !== 0; column = before[column]!) rowOf[column] = rowOf[before[column]!]!;
	}
	const columnOf = new Array<number>(size).fill(0);
	for (let at = 1; at <= size; at++) columnOf[rowOf[at]!] = at - 1;
	return columnOf;
}
