import { describe, expect, it } from 'vitest';
import { BothGits } from './both.ts';
import { expectedDifferences } from './expected-differences.ts';
import { scripts } from './scripts/index.ts';

/**
 * Number of equal commands, without the differences listed with a reason. It drops when a command stops being equal.
 */
const EQUAL = 4477;

describe('git as the real one', () => {
	let equal = 0;

	it.each(Object.entries(scripts))(
		'prints and exits the same: %s',
		async (theme, script) => {
			const differences: string[] = [];
			const both = new BothGits();
			try {
				for (const [i, line] of script.entries()) {
					const result = await both.step(line);
					if (!result) continue;
					const { native, ours } = result;
					const name = `${theme} ${i + 1}: ${line}`;
					const same = native.stdout === ours.stdout && native.code === ours.code;
					if (same) equal++;
					if (same === name in expectedDifferences) {
						differences.push(
							`${name}\n--- git ${native.code}\n${native.stdout}${native.stderr}--- ours ${ours.code}\n${ours.stdout}${ours.stderr}`
						);
					}
				}
				const { git } = both.exported();
				expect(git('fsck', '--strict', '--no-dangling')).toBe('');
			} finally {
				both.close();
			}
			expect(differences.join('\n\n')).toBe('');
		},
		120_000
	);

	it('does so for as many commands as before', () => {
		expect(equal).toBeGreaterThanOrEqual(EQUAL);
	});
});
