import { type DemoScript, onlyScript } from './demo-script.ts';

/** Task that the page offers with the template Vanilla TypeScript; the demo plays its script when it is sent. */
export const pageTask =
	'Build a tip calculator in place of the counter: bill, tip and people, and what each of them pays. Try it in the preview, on a phone too.';

const calculator = `/** Splits a bill and its tip between people. */
export function tipCalculator(): HTMLFormElement {
	const form = document.createElement('form');
	form.innerHTML = \`
		<label>Bill <input id="bill" type="number" min="0" step="0.01" value="40" /></label>
		<label>Tip in % <input id="tip" type="number" min="0" value="10" /></label>
		<label>People <input id="people" type="number" min="1" value="2" /></label>
		<output></output>
	\`;
	const read = (id: string): string => form.querySelector<HTMLInputElement>(\`#\${id}\`)?.value ?? '';
	const show = (): void => {
		const bill = read('bill');
		const tip = (Number(bill) * Number(read('tip'))) / 100;
		const each = Number(bill + tip) / Number(read('people'));
		const output = form.querySelector('output');
		if (output) output.textContent = \`Each pays \${each.toFixed(2)}\`;
	};
	form.addEventListener('input', show);
	show();
	return form;
}
`;

const start = `import { tipCalculator } from './tip-calculator.ts';

const app = document.querySelector<HTMLDivElement>('#app');
if (app) app.append(tipCalculator());
`;

const fault = 'Number(bill + tip) / Number';
const mended = '(Number(bill) + tip) / Number';

const steps = [
	{ kind: 'fill', on: '#bill', text: '80' },
	{ kind: 'fill', on: '#tip', text: '15' },
	{ kind: 'fill', on: '#people', text: '4' }
];

const open = { name: 'preview', arguments: { action: 'open', path: 'index.html' } };
const use = { name: 'preview', arguments: { action: 'act', steps } };

/**
 * The demo model's script for a project from the template Vanilla TypeScript: it views what it builds in the preview.
 */
export const pageScenario: DemoScript = {
	name: 'page',
	isTask: (text) => /\btip calculator\b/i.test(text),
	elsewhere: onlyScript.elsewhere('the template Vanilla TypeScript'),
	surprised: onlyScript.surprised('the template'),
	turns: [
		{
			text: "I'll see what the template brings.",
			toolCalls: [{ name: 'shell', arguments: { command: 'ls src && cat src/main.ts' } }]
		},
		{
			follows: ({ content }) => /\bcounter\.ts\b/.test(content),
			reasoning: 'One module for the calculator; the entry shows it in place of the counter.',
			text: 'A page with one module. The calculator gets a module of its own, and the entry shows it.',
			toolCalls: [
				{ name: 'write_file', arguments: { path: 'src/tip-calculator.ts', content: calculator } },
				{ name: 'shell', arguments: { command: `cat > src/main.ts <<'END'\n${start}END\nrm src/counter.ts` } }
			]
		},
		{
			text: 'Written. Before I say that it works, I use it as you would: 80 with 15 % between four people is 23 each.',
			toolCalls: [open, use]
		},
		{
			follows: ({ content }) => content.includes('Each pays 2003.00'),
			reasoning:
				'2003.00 × 4 is 8012: the text 80 with 12 behind it. The value of an input is a text, so + has put the two side by side.',
			text: 'It says **2003.00** instead of 23.00, and that is my mistake: an input gives text, so `bill + tip` put 80 and 12 side by side to 8012. The bill must be a number before the tip is added.',
			toolCalls: [
				{
					name: 'edit_file',
					arguments: { path: 'src/tip-calculator.ts', old_string: fault, new_string: mended }
				}
			]
		},
		{ text: 'The same again, in the page as it is now.', toolCalls: [open, use] },
		{
			follows: ({ content }) => content.includes('Each pays 23.00'),
			text: '23.00 each. Now on a phone.',
			toolCalls: [
				{ name: 'preview', arguments: { action: 'resize', width: 390, height: 844 } },
				{ name: 'preview', arguments: { action: 'screenshot' } }
			]
		},
		{
			text: [
				'The tip calculator works; it is in the preview for you to try.',
				'',
				'- **Built:** `src/tip-calculator.ts`, shown by `src/main.ts`. The counter is gone.',
				'- **Found by using it:** the first version said 2003.00 instead of 23.00. It joined two texts where it should have added two numbers.',
				'- **Proof:** the second try above, and the picture at 390 × 844.',
				'',
				'You have watched a script: the words and the mistake were written in advance, but the files, the page and what it showed are real. Add an API key to give the agent a task of your own.'
			].join('\n')
		}
	]
};
