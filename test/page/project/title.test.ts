import { expect, it } from 'vitest';
import { titleOf } from '#page/project/title.ts';

it.each([
	['The sum is wrong. Mend it.\nAll of it.', 'The sum is wrong. Mend it.'],
	['\n\n## Mend `src/sum.js`\n', 'Mend src/sum.js'],
	['- **Why** does [this](https://example.org) fail?', 'Why does this fail?'],
	['```\nTypeError: x\n```\nWhat is this?', 'What is this?'],
	['```\nTypeError: x\n```', 'TypeError: x'],
	['修复测试', '修复测试'],
	['snake_case_name stays', 'snake_case_name stays'],
	['…!?', '…!?'],
	['  ', '']
])('a session that begins with %j is called %j', (message, title) => {
	expect(titleOf(message)).toBe(title);
});

it('is cut between words, and a text without spaces anywhere', () => {
	const long = titleOf('word '.repeat(40));
	expect(long).toMatch(/^(word )+word…$/);
	expect(long.length).toBeLessThanOrEqual(70);
	expect(titleOf('x'.repeat(200))).toHaveLength(70);
});
