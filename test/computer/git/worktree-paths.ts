import fc from '#test/fast-check.ts';
import { expect } from 'vitest';
import { isWorktreePath } from '#computer/git/worktree/verify-path.ts';

const part = fc.oneof(
	fc.constantFrom(
		'..',
		'.',
		'',
		'.git',
		'.GiT',
		'git~1',
		'.git ',
		'.git...',
		'a',
		'b.txt',
		'~',
		'C:',
		'\\',
		'..\\',
		'.g\u200dit'
	),
	fc.string({ maxLength: 6 })
);

/** Checks arbitrary paths: none that is accepted may leave the working tree or be inside `.git`. */
export function playWorktreePaths({ count, seed }: { count: number; seed?: number }): {
	taken: number;
	refused: number;
} {
	const figures = { taken: 0, refused: 0 };
	fc.assert(
		fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
			const path = parts.join('/');
			if (!isWorktreePath(path)) {
				figures.refused++;
				return;
			}
			figures.taken++;
			for (const name of path.split(/[/\\]/).slice(1)) expect(name).not.toBe('..');
			for (const name of path.split('/')) {
				expect(['', '.', '..']).not.toContain(name);
				expect(name.replace(/[\u200c-\u200f]/g, '').toLowerCase()).not.toBe('.git');
			}
		}),
		{ numRuns: count, ...(seed === undefined ? {} : { seed }) }
	);
	return figures;
}
