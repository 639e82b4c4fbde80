/** A mistake in the app: text of one of its files, and its replacement. */
export interface Fault {
	file: string;
	from: string;
	to: string;
}

/** Mistakes that together make about half of the tests fail. */
export const FAULTS: readonly Fault[] = [
	{ file: 'index.html', from: '<title>Groceries', to: '<title>Grocery' },
	{ file: 'index.html', from: 'role="tooltip" hidden', to: 'role="tooltip"' },
	{ file: 'index.html', from: 'alt="Basket"', to: 'alt=""' },
	{ file: 'index.html', from: '<button id="ask">', to: '<button id="ask" disabled>' },
	{ file: 'app.js', from: "=== 1 ? '' : 's'", to: "=== 1 ? 's' : 's'" },
	{ file: 'app.js', from: 'elements.what.focus();\n\tconsole', to: 'elements.shop.focus();\n\tconsole' },
	{ file: 'app.js', from: "isUrgent ? ' (urgent)'", to: "isUrgent ? '(urgent)'" },
	{ file: 'app.js', from: "isDone ? 'done'", to: "isDone ? 'ready'" },
	{ file: 'app.js', from: "JSON.parse(localStorage.getItem('items') ?? '[]')", to: '[]' },
	{ file: 'app.js', from: '}, 300);', to: '}, 9000);' },
	{ file: 'app.js', from: 'String(!$(', to: 'String($(' },
	{ file: 'app.js', from: "`${$('notes').value.length} letters`", to: "`${$('notes').value.length + 1} letters`" },
	{ file: 'app.js', from: "event.key === 'k'", to: "event.key === 'j'" },
	{ file: 'server.cjs', from: "</h1>', 404", to: "</h1>', 200" },
	{ file: 'server.cjs', from: '<h1>About<', to: '<h2>About<' }
];
