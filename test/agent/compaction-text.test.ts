import { describe, expect, it } from 'vitest';
import { fileOperations, picturesOf, renderForSummary, userWords, withoutRecords } from '#agent/compaction-text.ts';
import { renderWork } from '#agent/work-in-hand.ts';
import type { ContentPart, ImagePart, Message } from '#llm/types.ts';

const text = (value: string): ContentPart => ({ type: 'text', text: value });
const user = (...content: ContentPart[]): Message => ({ role: 'user', content });
const said = (...content: ContentPart[]): Message => ({ role: 'assistant', content });
const image = (data: string): ImagePart => ({ type: 'image', mediaType: 'image/png', data });
const call = (name: string, args: Record<string, unknown>): ContentPart => ({
	type: 'tool_call',
	id: name,
	name,
	arguments: args
});
const result = (content: string, fields: object = {}): ContentPart => ({
	type: 'tool_result',
	callId: 'c',
	toolName: 'Read',
	content,
	isError: false,
	...fields
});
const identity = (name: string): string => name;

describe('a conversation shown to the model that sums it up', () => {
	it('has each part in a line, by who said it', () => {
		const [shown, hidden] = [image('A'), image('B')];
		const reminder = user(text('Mind the list.'));
		const messages: Message[] = [
			user(text('Look'), shown, hidden),
			said({ type: 'thinking', text: 'Hm.' }, text('I do.'), call('Read', { path: 'a' })),
			{
				role: 'tool',
				content: [result('out', { images: [shown, hidden] }), result('no such file', { isError: true })]
			},
			reminder,
			user(
				{ type: 'audio', data: 'A' } as unknown as ContentPart,
				{
					type: 'document',
					data: 'A',
					name: 'a.pdf'
				} as unknown as ContentPart,
				{ type: 'document', data: 'A' } as unknown as ContentPart
			)
		];
		expect(renderForSummary(messages, { notices: new Set([reminder]), pictures: [shown] })).toBe(
			[
				'[user]: Look\n[user attached picture 1]\n[user attached a picture]',
				'\n[assistant]: I do.\n[assistant calls Read]: {"path":"a"}',
				'[result of Read]: out [with picture 1] [with a picture]\n[result of Read, an error]: no such file',
				'[reminder]: Mind the list.',
				'[user attached a recording]\n[user attached a.pdf]\n[user attached a document]'
			].join('\n\n')
		);
		expect(renderForSummary(messages.slice(3, 4))).toBe('[user]: Mind the list.');
	});

	it('has 2,000 characters of a result and of the arguments of a call', () => {
		const most = 'x'.repeat(2_000);
		expect(renderForSummary([{ role: 'tool', content: [result(most)] }])).toBe(`[result of Read]: ${most}`);
		expect(renderForSummary([{ role: 'tool', content: [result(`${most}y`)] }])).toBe(
			`[result of Read]: ${most} [… 2001 characters]`
		);
		expect(renderForSummary([said(call('Write', { content: 'x'.repeat(3_000) }))])).toMatch(/ \[… 3014 characters\]$/);
	});

	it('shows the ten newest pictures, those of tools among them', () => {
		const images = Array.from({ length: 12 }, (_, index) => image(String(index)));
		const address = { type: 'image_url', url: 'https://a.example/a.png' } as unknown as ContentPart;
		expect(
			picturesOf([user(...images.slice(0, 3)), { role: 'tool', content: [result('', { images: images.slice(3) })] }])
		).toEqual(images.slice(2));
		expect(picturesOf([user(text('x'), address), { role: 'tool', content: [result('')] }])).toEqual([address]);
	});
});

describe('the words of the user in a summary', () => {
	it('are whole, with what was attached, and without notices or empty messages', () => {
		const notice = user(text('A reminder.'));
		const messages = [
			user(text('First'), image('A'), { type: 'document', data: 'A', name: 'a.pdf' } as unknown as ContentPart),
			said(text('An answer.')),
			notice,
			user(text('  ')),
			user({ type: 'document', data: 'A' } as unknown as ContentPart),
			user({ type: 'image_url', url: 'x' } as unknown as ContentPart, text('Second\nline'))
		];
		expect(userWords(messages, new Set([notice]))).toBe(
			'<user-messages>\nFirst\n[a picture]\n[a.pdf]\n---\n[a document]\n---\n[a picture]\nSecond\nline\n</user-messages>'
		);
		expect(userWords([said(text('An answer.')), notice], new Set([notice]))).toBe('');
	});

	it('go on from an earlier summary', () => {
		const first = userWords([user(text('One')), user(text('Two'))]);
		expect(userWords([user(text('Three'))], undefined, `Before.\n\n${first}\n\nBehind.`)).toBe(
			'<user-messages>\nOne\n---\nTwo\n---\nThree\n</user-messages>'
		);
		expect(userWords([], undefined, first)).toBe(first);
	});

	it('lose the middle of a message of over 8,000 characters', () => {
		const whole = 'x'.repeat(8_000);
		expect(userWords([user(text(whole))])).toBe(`<user-messages>\n${whole}\n</user-messages>`);
		expect(userWords([user(text(`${'a'.repeat(4_001)}${'b'.repeat(4_000)}`))])).toBe(
			`<user-messages>\n${'a'.repeat(4_000)}\n[… 1 characters of this message removed …]\n${'b'.repeat(4_000)}\n</user-messages>`
		);
	});

	it('lose the oldest after the first above 20,000 characters, and say how many', () => {
		const texts = ['f'.repeat(3_000), 'a'.repeat(7_000), 'b'.repeat(5_000), 'c'.repeat(4_985)];
		const words = (...given: string[]): string => userWords(given.map((each) => user(text(each))));
		// 3 separators of 5 characters: exactly what fits.
		expect(words(...texts)).toBe(`<user-messages>\n${texts.join('\n---\n')}\n</user-messages>`);
		const [first = '', second = '', third = '', fourth = ''] = texts;
		expect(words(first, second, third, `${fourth}d`)).toBe(
			`<user-messages removed="7005 characters after the first message">\n${[first, third, `${fourth}d`].join('\n---\n')}\n</user-messages>`
		);
		const large = 'l'.repeat(8_000);
		expect(words(large, large, large, large)).toBe(
			`<user-messages removed="16010 characters after the first message">\n${[large, large].join('\n---\n')}\n</user-messages>`
		);
	});
});

describe('the files of a summary', () => {
	const files = (calls: ContentPart[], known?: Parameters<typeof fileOperations>[2]): string =>
		fileOperations([said(...calls)], identity, known);

	it('are those that calls read and changed, by any of their parameters', () => {
		expect(
			files([
				text('no call'),
				call('read_file', { file_path: 'a' }),
				call('read_page', { path: 'b' }),
				call('read_many_files', { paths: ['c', 5, 'd'] }),
				call('read_many_files', { include: ['e'] }),
				call('grep', { path: 'never' }),
				call('write_file', { file_path: 'w' }),
				call('edit_file', { path: 'x' }),
				call('apply_patch', {
					patch:
						'*** Begin Patch\n*** Add File: p1\n+x\n*** Update File: p2\n*** Move to: p3\n*** Delete File: p4\n x *** Add File: no'
				}),
				call('apply_patch', { input: '*** Add File: p5' }),
				call('apply_patch', { patch: 5 }),
				call('not_read', { path: 'never' })
			])
		).toBe('<read-files>\na\nb\nc\nd\ne\n</read-files>\n<modified-files>\nw\nx\np1\np2\np3\np4\np5\n</modified-files>');
		expect(files([])).toBe('');
		expect(fileOperations([said(call('Read', { path: 'a' }))], () => 'read_file')).toBe(
			'<read-files>\na\n</read-files>'
		);
	});

	it('are each in one list, the newest last', () => {
		expect(
			files([
				call('read_file', { path: 'a' }),
				call('read_file', { path: 'b' }),
				call('edit_file', { path: 'c' }),
				call('edit_file', { path: 'b' }),
				call('edit_file', { path: 'c' }),
				call('read_file', { path: 'a' })
			])
		).toBe('<read-files>\na\n</read-files>\n<modified-files>\nb\nc\n</modified-files>');
	});

	it('go on from an earlier summary, but not from a list that the user quoted', () => {
		const earlier = '<read-files>\na\nb\n</read-files>\n<modified-files>\nc\n</modified-files>';
		const quoted = '<user-messages>\n<read-files>\nquoted\n</read-files>\n</user-messages>';
		expect(files([call('read_file', { path: 'd' })], { previous: `${quoted}\n\n${earlier}` })).toBe(
			'<read-files>\na\nb\nd\n</read-files>\n<modified-files>\nc\n</modified-files>'
		);
		expect(files([], { previous: quoted })).toBe('');
	});

	it('have what changed by other means, unless a call named it already', () => {
		expect(
			files([call('edit_file', { path: '/work/src/a.ts' }), call('read_file', { path: 'b.ts' })], {
				changed: ['src/a.ts', 'b.ts', 'c.ts', 'c.ts', 'a.ts']
			})
		).toBe('<modified-files>\n/work/src/a.ts\nb.ts\nc.ts\n</modified-files>');
		expect(files([call('edit_file', { path: 'data.ts' })], { changed: ['a.ts'] })).toContain('data.ts\na.ts');
	});

	it('are the two hundred newest of a list', () => {
		const calls = Array.from({ length: 201 }, (_, index) => call('read_file', { path: `f${index}` }));
		expect(files(calls)).toMatch(/^<read-files omitted="1 older">\nf1\nf2\n/);
		expect(files(calls.slice(1))).toMatch(/^<read-files>\nf1\n/);
		expect(files([], { previous: files(calls) })).toMatch(/^<read-files>\nf1\n/);
	});
});

it('takes the records out of a summary, whatever they quote', () => {
	const records = ['user-messages', 'read-files', 'modified-files', 'work-in-hand'].map(
		(name) => `<${name} note="x">\na\n</${name}>\nb\n</${name}>`
	);
	expect(withoutRecords(`Words.\n\n${records.join('\n\n')}\n`)).toBe('Words.');
	expect(withoutRecords('  In <read-files> words.  ')).toBe('In <read-files> words.');
});

it('tells the work in hand, and only what there is of it', () => {
	const none = { mode: 'ask' as const, todo: [], processes: [], subagents: [] };
	const block = (...lines: string[]): string =>
		`<work-in-hand as-of="this compaction">\n${lines.join('\n')}\n</work-in-hand>`;
	expect(renderWork(none)).toBe(block('Permission mode: ask'));
	expect(renderWork({ ...none, mode: 'plan' })).toBe(
		block('Permission mode: plan, so nothing is changed or run until the user starts the work')
	);
	expect(
		renderWork({
			mode: 'full',
			todo: [
				{ content: 'One', status: 'completed' },
				{ content: 'Two', status: 'pending' }
			],
			processes: [{ id: 3, command: 'npm run dev' }],
			subagents: ['agent_1']
		})
	).toBe(
		block(
			'Permission mode: full',
			'Task list:',
			'- [completed] One',
			'- [pending] Two',
			'Background processes still running:',
			'- 3: npm run dev',
			'Subagents still at work:',
			'- agent_1'
		)
	);
});

describe('what is left of a conversation', () => {
	it('has pictures by address, and nothing of what the model thought', () => {
		const linked = { type: 'image_url', url: 'https://a.example/p.png' } as ContentPart;
		const thought = [
			{ type: 'redacted_thinking', data: 'x' },
			{ type: 'opaque', provider: 'p', data: {} }
		];
		expect(renderForSummary([user(linked), said(...(thought as unknown as ContentPart[]), text('I do.'))])).toBe(
			'[user attached a picture]\n\n\n\n[assistant]: I do.'
		);
		expect(picturesOf([user(linked, text('and this')), { role: 'tool', content: [result('out')] }])).toEqual([linked]);
	});

	it('has the words of the user without empty lines for what is none', () => {
		const recording = { type: 'audio', data: 'A' } as unknown as ContentPart;
		expect(userWords([user(recording, text('Listen')), user(recording)])).toBe(
			'<user-messages>\nListen\n</user-messages>'
		);
		expect(userWords([user(text('x'.repeat(8_000))), user(text('y'))])).not.toContain('removed');
	});

	it('names a changed file once, also where the model called it by a longer path', () => {
		const messages = [
			said(call('write', { path: 'a' }), call('edit', { path: '/w/b' }), call('overwrite', { path: 'o' }))
		];
		expect(fileOperations(messages, identity, { changed: ['a', 'b', 'c'] })).toBe(
			'<modified-files>\na\n/w/b\nc\n</modified-files>'
		);
	});
});
