/** Five small apps without known faults, as files of a project, and the server that serves them in the tab. */
export const PORT = 4_810;

const SERVER = `const fs = require('fs');
const types = { html: 'text/html', svg: 'image/svg+xml', json: 'application/json' };
require('http').createServer((request, response) => {
	const file = 'apps' + new URL(request.url, 'http://x').pathname;
	if (!fs.existsSync(file)) return response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found');
	response.setHeader('Content-Type', types[file.split('.').pop()] ?? 'text/plain');
	response.end(fs.readFileSync(file));
}).listen(${PORT});`;

const STYLE = `*, ::before { box-sizing: border-box } :root { color-scheme: light dark; --ink: #1a1a1a; --paper: #ffffff; --soft: #555555; --card: #f0f2f5; --accent: #0b57d0; --on-accent: #ffffff }
@media (prefers-color-scheme: dark) { :root { --ink: #f2f2f2; --paper: #16181c; --soft: #b8bcc4; --card: #24272e; --accent: #8ab4f8; --on-accent: #10131a } }
body { margin: 0; padding: 16px; font: 16px/1.5 sans-serif; color: var(--ink); background: var(--paper) }
button { font: inherit; min-height: 36px; padding: 4px 12px; border: 0; border-radius: 6px; color: var(--on-accent); background: var(--accent) }
input, select { font: inherit; min-height: 32px; max-width: 100% } label { display: block; margin: 8px 0 }`;

const page = (title: string, style: string, body: string, script: string): string =>
	`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width">
<style>${STYLE}
${style}</style></head><body>
${body}
<script>
const $ = (selector, root = document) => root.querySelector(selector);
${script}
</script></body></html>`;

const TASKS = page(
	'Tasks',
	`.item { display: flex; gap: 8px; align-items: center; padding: 4px 8px; background: var(--card) } .item span { flex: 1; color: var(--ink) }
main { max-width: 560px } #hint { color: var(--soft) }`,
	`<main><h1>Tasks</h1><form id="add"><label>Title <input id="title"></label><label>Note <input id="note"></label><button>Add</button></form>
<p id="hint" role="status"></p><label>Show <select id="filter"><option>All</option><option>Open</option></select></label><div id="list"></div><p id="count">0 open</p></main>`,
	`const tasks = [];
function draw() {
	const shown = tasks.filter((task) => $('#filter').value === 'All' || !task.done);
	$('#list').replaceChildren(...shown.map((task) => {
		const row = document.createElement('div');
		row.className = 'item';
		row.innerHTML = '<input type="checkbox"><span></span><button></button>';
		$('span', row).textContent = task.note ? task.title + ' (' + task.note + ')' : task.title;
		$('input', row).checked = task.done;
		$('input', row).setAttribute('aria-label', 'Done: ' + task.title);
		$('input', row).onchange = () => { task.done = !task.done; draw(); };
		$('button', row).textContent = 'Remove ' + task.title;
		$('button', row).onclick = () => { tasks.splice(tasks.indexOf(task), 1); draw(); };
		return row;
	}));
	$('#count').textContent = tasks.filter((task) => !task.done).length + ' open';
}
$('#add').onsubmit = (event) => {
	event.preventDefault();
	const title = $('#title').value.trim();
	if (title === '') { $('#hint').textContent = 'Give the task a title.'; return; }
	$('#hint').textContent = '';
	tasks.push({ title, note: $('#note').value, done: false });
	$('#title').value = $('#note').value = '';
	$('#title').focus();
	draw();
};
$('#filter').onchange = draw;`
);

const SIGN_UP = page(
	'Sign up',
	`form { max-width: 420px; position: relative } .error { color: #b3261e; margin: 0 } @media (prefers-color-scheme: dark) { .error { color: #f2b8b5 } }
#help { color: var(--soft) } [hidden] { display: none }`,
	`<h1>Sign up</h1><form id="one" novalidate><label for="email">Email</label><input id="email" type="email"><p class="error" id="email-error" role="alert"></p>
<label for="password">Password</label><input id="password" type="password"><button type="button" id="show" aria-pressed="false">Show password</button>
<p id="help">A password has at least eight characters; longer sentences are better than short riddles.</p>
<label for="country">Country</label><select id="country"><option>Norway</option><option>Peru</option></select>
<label><input type="checkbox" id="terms"> I accept the terms</label><button id="next">Next</button></form>
<section id="two" hidden><h2>Check</h2><p id="summary"></p><button id="back">Back</button><button id="send">Send</button><p id="sent" role="status"></p></section>`,
	`$('#show').onclick = () => {
	const isShown = $('#password').type === 'text';
	$('#password').type = isShown ? 'password' : 'text';
	$('#show').setAttribute('aria-pressed', String(!isShown));
};
$('#one').onsubmit = (event) => {
	event.preventDefault();
	const isMail = /^[^@ ]+@[^@ ]+[.][^@ ]+$/.test($('#email').value);
	$('#email-error').textContent = isMail ? ($('#terms').checked ? '' : 'Accept the terms.') : 'Give an address such as ada@example.org.';
	if (!isMail || !$('#terms').checked) return;
	$('#summary').textContent = $('#email').value + ', ' + $('#country').value + ', password of ' + $('#password').value.length + ' characters';
	$('#one').hidden = true;
	$('#two').hidden = false;
};
$('#back').onclick = () => { $('#two').hidden = true; $('#one').hidden = false; };
$('#send').onclick = () => { $('#sent').textContent = 'Welcome, ' + $('#email').value.split('@')[0] + '.'; };`
);

const GALLERY = page(
	'Gallery',
	`#thumbs { display: flex; flex-wrap: wrap; gap: 16px } figure { margin: 0; width: 160px } #thumbs button { padding: 0; background: none } img { display: block; width: 160px; height: 100px }
figcaption { color: var(--soft) } dialog { color: var(--ink); background: var(--paper) }`,
	`<h1>Gallery</h1><div id="thumbs"></div><dialog id="box" aria-label="Picture"><img id="large" alt=""><p id="caption"></p><button id="next">Next</button><button id="close">Close</button></dialog>`,
	`const pictures = ['Hill', 'Lake', 'Tower'];
let current = 0;
function show(index) {
	current = index;
	$('#large').src = 'img/' + pictures[current].toLowerCase() + '.svg';
	$('#large').alt = pictures[current];
	$('#caption').textContent = (current + 1) + ' of ' + pictures.length + ': ' + pictures[current];
}
let opener = null;
pictures.forEach((name, index) => {
	const figure = document.createElement('figure');
	figure.innerHTML = '<button><img alt="' + name + '" src="img/' + name.toLowerCase() + '.svg"></button><figcaption>' + name + ' in the morning</figcaption>';
	$('button', figure).onclick = (event) => { opener = event.currentTarget; show(index); $('#box').showModal(); };
	$('#thumbs').append(figure);
});
$('#next').onclick = () => show((current + 1) % pictures.length);
$('#close').onclick = () => $('#box').close();
document.addEventListener('keydown', (event) => { if (event.key === 'Escape') $('#box').close(); });
$('#box').onclose = () => opener?.focus();`
);

const picture = (colour: string): string =>
	`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"><rect width="320" height="200" fill="${colour}"/></svg>`;

const SALES = page(
	'Sales',
	`table { border-collapse: collapse; max-width: 100% } td, th { padding: 4px 10px; text-align: left; color: var(--ink); background: var(--card) } th button { min-height: 28px }
[role=tablist] { display: flex; gap: 8px } #state { color: var(--soft) } .lead { line-height: 1.5 }`,
	`<h1>Sales</h1><p class="lead">Figures of the last quarter, by town, in thousands.</p><p id="state" role="status">Loading</p>
<div role="tablist"><button role="tab" id="tab-table" aria-selected="true" aria-controls="table-panel">Table</button><button role="tab" id="tab-sum" aria-selected="false" aria-controls="sum-panel">Sum</button></div>
<div id="table-panel" role="tabpanel" aria-labelledby="tab-table"><label>Search <input id="search"></label>
<table><thead><tr><th><button id="by-town">Town</button></th><th><button id="by-amount">Amount</button></th></tr></thead><tbody id="rows"></tbody></table></div>
<div id="sum-panel" role="tabpanel" aria-labelledby="tab-sum" hidden><p id="sum"></p></div><button id="more">Load last year</button>`,
	`let rows = [];
function draw() {
	const wanted = $('#search').value.toLowerCase();
	const shown = rows.filter(({ town }) => town.toLowerCase().includes(wanted));
	$('#rows').replaceChildren(...shown.map(({ town, amount }) => {
		const line = document.createElement('tr');
		line.innerHTML = '<td></td><td></td>';
		line.children[0].textContent = town;
		line.children[1].textContent = amount;
		return line;
	}));
	$('#sum').textContent = 'Sum: ' + rows.reduce((sum, { amount }) => sum + Number(amount), 0);
}
async function load(address) {
	$('#state').textContent = 'Loading';
	try {
		const response = await fetch(address);
		if (!response.ok) throw new Error(String(response.status));
		rows = await response.json();
		$('#state').textContent = rows.length + ' towns';
	} catch {
		$('#state').textContent = 'Could not load. Try again later.';
	}
	draw();
}
$('#search').oninput = draw;
$('#by-town').onclick = () => { rows.sort((a, b) => a.town.localeCompare(b.town)); draw(); };
$('#by-amount').onclick = () => { rows.sort((a, b) => Number(a.amount) - Number(b.amount)); draw(); };
$('#more').onclick = () => load('last-year.json');
for (const tab of document.querySelectorAll('[role=tab]'))
	tab.onclick = () => {
		for (const each of document.querySelectorAll('[role=tab]')) {
			each.setAttribute('aria-selected', String(each === tab));
			document.getElementById(each.getAttribute('aria-controls')).hidden = each !== tab;
		}
	};
load('sales.json');`
);

const SHOP = page(
	'Shop',
	`header { display: flex; justify-content: space-between; align-items: center } nav a { margin-right: 12px; color: var(--accent) } #menu { display: none }
.product, #cart { padding: 8px 12px; margin: 8px 0; border-radius: 8px; color: var(--ink); background: var(--card) } .product p { margin: 4px 0 } footer { padding: 12px 0; color: var(--soft) }
@media (max-width: 500px) { #menu { display: block } nav { display: none } nav.open { display: block } }`,
	`<header><h1>Shop</h1><button id="menu" aria-expanded="false" aria-label="Menu">≡</button></header><nav aria-label="Main"><a href="#cart">Cart</a><a href="#help">Help</a></nav>
<div id="products"></div><section id="cart" aria-label="Cart"><h2>Cart</h2><p id="lines">The cart is empty.</p><p id="total">Total: 0.00</p>
<label>Code <input id="code"></label><button id="apply">Apply</button><p id="applied" role="status"></p><button id="order">Order</button><p id="ordered" role="status"></p></section><footer id="help">Write to help@example.org.</footer>`,
	`const products = [{ name: 'Cup', price: '7.50' }, { name: 'Plate', price: '12.00' }];
const quantities = products.map(() => 0);
let discount = 0;
function draw() {
	const lines = products.map(({ name }, index) => quantities[index] > 0 ? quantities[index] + ' × ' + name : '').filter(Boolean);
	$('#lines').textContent = lines.join(', ') || 'The cart is empty.';
	const sum = products.reduce((total, { price }, index) => total + Number(price) * quantities[index], 0);
	$('#total').textContent = 'Total: ' + (sum * (1 - discount)).toFixed(2);
}
products.forEach(({ name, price }, index) => {
	const card = document.createElement('div');
	card.className = 'product';
	card.innerHTML = '<p></p><button>Add ' + name + '</button> <button>Remove ' + name + '</button>';
	$('p', card).textContent = name + ', ' + price;
	card.children[1].onclick = () => { quantities[index]++; draw(); };
	card.children[2].onclick = () => { quantities[index] = Math.max(0, quantities[index] - 1); draw(); };
	$('#products').append(card);
});
$('#apply').onclick = () => {
	const isKnown = $('#code').value === 'TEN';
	discount = isKnown ? 0.1 : discount;
	$('#applied').textContent = isKnown ? '10 % off' : 'This code is not known.';
	draw();
};
$('#order').onclick = () => { $('#ordered').textContent = quantities.some(Boolean) ? 'Ordered.' : 'Put something into the cart first.'; };
$('#menu').onclick = () => {
	const isOpen = $('nav').classList.toggle('open');
	$('#menu').setAttribute('aria-expanded', String(isOpen));
};`
);

export const APPS = ['tasks', 'sign-up', 'gallery', 'sales', 'shop'] as const;
export type App = (typeof APPS)[number];

export const FILES: Readonly<Record<string, string>> = {
	'server.cjs': SERVER,
	'apps/tasks.html': TASKS,
	'apps/sign-up.html': SIGN_UP,
	'apps/gallery.html': GALLERY,
	'apps/img/hill.svg': picture('#386641'),
	'apps/img/lake.svg': picture('#1d3557'),
	'apps/img/tower.svg': picture('#6d597a'),
	'apps/sales.html': SALES,
	'apps/sales.json': JSON.stringify([
		{ town: 'Oslo', amount: '90' },
		{ town: 'Lima', amount: '1200' },
		{ town: 'Bergen', amount: '310' }
	]),
	'apps/shop.html': SHOP
};
