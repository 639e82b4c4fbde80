import { FILES, type App } from './apps.ts';

/** A fault: one replacement in one app's document. */
export interface Fault {
	app: App;
	name: string;
	from: string;
	to: string;
}

const fault = (app: App, name: string, from: string, to: string): Fault => ({ app, name, from, to });

/** Ten typical faults for each app: each is inserted alone. */
export const FAULTS: readonly Fault[] = [
	fault('tasks', 'the form is not sent', "$('#add').onsubmit =", "$('#add').onsubmitted ="),
	fault(
		'tasks',
		'a task is added twice',
		'tasks.push({ title,',
		'tasks.push({ title, note: "", done: false }, { title,'
	),
	fault(
		'tasks',
		'the count includes what is done',
		"tasks.filter((task) => !task.done).length + ' open'",
		"tasks.length + ' open'"
	),
	fault('tasks', 'the filter shows the wrong ones', "=== 'All' || !task.done", "=== 'All' || task.done"),
	fault('tasks', 'the wrong task is removed', 'tasks.splice(tasks.indexOf(task), 1)', 'tasks.shift()'),
	fault(
		'tasks',
		'a refused form loses its note',
		"= 'Give the task a title.'; return;",
		"= 'Give the task a title.'; $('#note').value = ''; return;"
	),
	fault(
		'tasks',
		'the focus is lost after adding',
		"$('#title').focus();",
		"$('#title').blur(); document.activeElement.blur();"
	),
	fault('tasks', 'a field has no label', '<label>Title <input id="title"></label>', '<p>Title <input id="title"></p>'),
	fault('tasks', 'text is dark on dark', 'flex: 1; color: var(--ink) }', 'flex: 1; color: #222 }'),
	fault('tasks', 'the page is wider than a phone', 'main { max-width: 560px }', 'main { width: 560px }'),

	fault('sign-up', 'a wrong address is accepted', '/^[^@ ]+@[^@ ]+[.][^@ ]+$/', '/./'),
	fault('sign-up', 'the error is not visible', '.error { color: #b3261e; margin: 0 }', '.error { display: none }'),
	fault('sign-up', 'the password is not shown', "isShown ? 'password' : 'text'", "'password'"),
	fault('sign-up', 'sending throws', "$('#email').value.split", "$('#mail').value.split"),
	fault(
		'sign-up',
		'the keyboard is trapped',
		"$('#show').onclick =",
		"$('#password').onkeydown = (event) => { if (event.key === 'Tab') event.preventDefault(); };\n$('#show').onclick ="
	),
	fault('sign-up', 'a label belongs to another field', '<label for="country">', '<label for="county">'),
	fault(
		'sign-up',
		'something covers the button',
		'#help { color: var(--soft) }',
		'#help { color: var(--soft) } form::after { content: ""; position: absolute; inset: auto 0 0; height: 60px }'
	),
	fault(
		'sign-up',
		'going back loses the country',
		"$('#two').hidden = true;",
		"$('#two').hidden = true; $('#country').selectedIndex = 0;"
	),
	fault('sign-up', 'the password is in the summary', "$('#password').value.length", "$('#password').value"),
	fault(
		'sign-up',
		'the help is cut off',
		'#help { color: var(--soft) }',
		'#help { color: var(--soft); height: 20px; overflow: hidden }'
	),

	fault(
		'gallery',
		'a picture is missing',
		"const pictures = ['Hill', 'Lake', 'Tower'];",
		"const pictures = ['Hill', 'Lakes', 'Tower'];"
	),
	fault('gallery', 'Escape does not close', "event.key === 'Escape'", "event.key === 'Esc'"),
	fault('gallery', 'the wrong picture opens', 'show(index); $', 'show(0); $'),
	fault('gallery', 'there is nothing after the last', 'show((current + 1) % pictures.length)', 'show(current + 1)'),
	fault('gallery', 'pictures have no text', '<img alt="\' + name + \'"', '<img'),
	fault('gallery', 'the focus does not come back', 'opener?.focus()', 'opener?.blur()'),
	fault(
		'gallery',
		'captions lie over the pictures',
		'figcaption { color: var(--soft) }',
		'figcaption { color: var(--soft); margin-top: -40px; pointer-events: none }'
	),
	fault(
		'gallery',
		'pictures are wider than a phone',
		'figure { margin: 0; width: 160px }',
		'figure { margin: 0; width: 500px }'
	),
	fault('gallery', 'captions are pale', 'figcaption { color: var(--soft) }', 'figcaption { color: #bbb }'),
	fault(
		'gallery',
		'pictures open by pointer only',
		"'<button><img alt=\"' + name + '\" src=\"img/' + name.toLowerCase() + '.svg\"></button>",
		'\'<button tabindex="-1"><img alt="\' + name + \'" src="img/\' + name.toLowerCase() + \'.svg"></button>'
	),

	fault('sales', 'the figures are not found', "load('sales.json');", "load('sale.json');"),
	fault(
		'sales',
		'amounts are sorted as text',
		'Number(a.amount) - Number(b.amount)',
		'a.amount.localeCompare(b.amount)'
	),
	fault('sales', 'the tab does not change', '.hidden = each !== tab;', ".title = '';"),
	fault('sales', 'amounts are joined, not added', 'sum + Number(amount), 0', "sum + amount, ''"),
	fault('sales', 'it loads for ever', "$('#state').textContent = rows.length + ' towns';", ''),
	fault('sales', 'a failure is not said', "$('#state').textContent = 'Could not load. Try again later.';", ''),
	fault('sales', 'the search minds capitals', 'town.toLowerCase().includes(wanted)', 'town.includes(wanted)'),
	fault(
		'sales',
		'a tab throws',
		"each.setAttribute('aria-selected', String(each === tab));",
		"each.setAttribute('aria-selected', String(each === tab)); each.dataset.of.trim();"
	),
	fault(
		'sales',
		'the introduction is cut off',
		'.lead { line-height: 1.5 }',
		'.lead { width: 120px; white-space: nowrap; overflow: hidden }'
	),
	fault('sales', 'the table is dark on dark', 'text-align: left; color: var(--ink);', 'text-align: left; color: #333;'),

	fault(
		'shop',
		'the second product cannot be added',
		'{ quantities[index]++; draw(); }',
		'{ quantities[0]++; draw(); }'
	),
	fault(
		'shop',
		'the total ignores quantities',
		'Number(price) * quantities[index]',
		'Number(price) * Math.min(1, quantities[index])'
	),
	fault('shop', 'a code counts twice', 'discount = isKnown ? 0.1 : discount;', 'discount += isKnown ? 0.1 : 0;'),
	fault(
		'shop',
		'removing throws',
		'quantities[index] = Math.max(0, quantities[index] - 1);',
		'quantities[index].remove();'
	),
	fault('shop', 'the menu does not open', "classList.toggle('open')", "classList.toggle('opened')"),
	fault('shop', 'the menu has no name', 'aria-expanded="false" aria-label="Menu">≡<', 'aria-expanded="false"><'),
	fault(
		'shop',
		'the footer covers the order',
		'footer { padding: 12px 0; color: var(--soft) }',
		'footer { padding: 80px 0; position: sticky; bottom: 0; margin-top: -140px; color: var(--soft) }'
	),
	fault('shop', 'the total is no number', 'Number(price) * quantities', "Number(price.replace('.', ',')) * quantities"),
	fault(
		'shop',
		'a card is white on white',
		'color: var(--ink); background: var(--card) } .product p',
		'color: var(--ink); background: #fff } .product p'
	),
	fault('shop', 'a quantity is negative', 'Math.max(0, quantities[index] - 1)', 'quantities[index] - 1')
];

/** The project with one fault, or none. @throws Error unless the text to replace occurs exactly once */
export function filesWith(given: Fault | null): Record<string, string> {
	const files = { ...FILES };
	if (!given) return files;
	const path = `apps/${given.app}.html`;
	const parts = (files[path] ?? '').split(given.from);
	if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} places for “${given.name}”.`);
	return { ...files, [path]: parts.join(given.to) };
}
