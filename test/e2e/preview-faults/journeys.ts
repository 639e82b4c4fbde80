import type { App } from './apps.ts';
import type { Inspector } from './inspector.ts';

/** Steps that check what the description of each app promises. */
const JOURNEYS: Readonly<Record<App, (look: Inspector) => Promise<void>>> = {
	async tasks(look) {
		await look.fill('Note', 'soon');
		await look.click('Add');
		await look.displays('Give the task a title.');
		await look.holds(`document.querySelector('#note').value === 'soon'`, 'a refused form loses what was written');
		for (const title of ['Bread', 'Milk', 'Salt']) {
			await look.fill('Title', title);
			await look.click('Add');
		}
		await look.holds(`document.activeElement.id === 'title'`, 'after adding, the focus is not in the title');
		await look.holds(`document.querySelectorAll('.item').length === 3`, 'three tasks give another number of lines');
		await look.displays('3 open');
		await look.act({ kind: 'check', on: 'role=checkbox[name="Done: Milk"]' });
		await look.displays('2 open');
		await look.select('Show', 'Open');
		await look.displays('Remove Salt');
		await look.displays('Remove Milk', false);
		await look.click('Remove Salt');
		await look.displays('Remove Bread');
		await look.displays('Remove Salt', false);
		await look.displays('1 open');
	},
	async 'sign-up'(look) {
		await look.fill('Email', 'ada');
		await look.fill('Password', 'correct horse');
		await look.select('Country', 'Peru');
		await look.act({ kind: 'check', on: '#terms' });
		await look.click('Next');
		await look.displays('Give an address such as ada@example.org.');
		await look.click('Show password');
		await look.holds(`document.querySelector('#password').type === 'text'`, 'the password is not shown');
		await look.fill('Email', 'ada@example.org');
		await look.click('Next');
		await look.displays('ada@example.org, Peru, password of 13 characters');
		await look.displays('correct horse', false);
		await look.audit();
		await look.click('Back');
		await look.holds(`document.querySelector('#country').value === 'Peru'`, 'going back loses the country');
		await look.click('Next');
		await look.click('Send');
		await look.displays('Welcome, ada.');
	},
	async gallery(look) {
		await look.click('Lake');
		await look.displays('2 of 3: Lake');
		await look.audit();
		await look.click('Next');
		await look.displays('3 of 3: Tower');
		await look.click('Next');
		await look.displays('1 of 3: Hill');
		await look.press('Escape');
		await look.holds(`!document.querySelector('dialog').open`, 'Escape does not close the picture');
		await look.holds(
			`document.activeElement.textContent === '' && document.activeElement.querySelector('img')?.alt === 'Lake'`,
			'the focus does not return to what opened the picture'
		);
	},
	async sales(look) {
		await look.act({ kind: 'wait_for', text: '3 towns' });
		await look.click('Amount');
		await look.holds(
			`[...document.querySelectorAll('#rows tr')].map((line) => line.children[1].textContent).join() === '90,310,1200'`,
			'amounts are not in order'
		);
		await look.fill('Search', 'OSLO');
		await look.displays('Oslo');
		await look.displays('Lima', false);
		await look.click('Sum', 'tab');
		await look.displays('Sum: 1600');
		await look.displays('Search', false);
		await look.click('Table', 'tab');
		await look.click('Load last year');
		await look.displays('Could not load. Try again later.');
	},
	async shop(look) {
		await look.click('Order');
		await look.displays('Put something into the cart first.');
		for (const name of ['Add Cup', 'Add Cup', 'Add Plate']) await look.click(name);
		await look.displays('2 × Cup, 1 × Plate');
		await look.displays('Total: 27.00');
		await look.fill('Code', 'TEN');
		await look.click('Apply');
		await look.displays('Total: 24.30');
		await look.click('Apply');
		await look.displays('Total: 24.30');
		for (const name of ['Remove Plate', 'Remove Plate', 'Remove Cup']) await look.click(name);
		await look.displays('1 × Cup');
		await look.displays('Total: 6.75');
		await look.click('Order');
		await look.displays('Ordered.');
	}
};

const PHONE = { width: 390, height: 844 };

/** Examines an app in all the ways a careful developer would. */
export async function inspect(look: Inspector, app: App): Promise<string[]> {
	await look.open();
	await look.audit();
	await look.walk();
	await look.theme({ colorScheme: 'light' });
	await JOURNEYS[app](look);
	await look.audit();
	await look.theme({ colorScheme: 'dark' });
	if (app === 'tasks') {
		await look.fill('Title', 'Bread');
		await look.click('Add');
	}
	await look.audit();
	await look.theme({ colorScheme: 'light' });
	await look.resize(PHONE);
	await look.audit();
	if (await look.value<boolean>(`document.querySelector('#menu') !== null`)) {
		await look.holds(`!document.querySelector('nav').checkVisibility()`, 'the menu is open from the start');
		await look.act({ kind: 'click', on: '#menu' });
		await look.displays('Help');
	}
	await look.resize(null);
	await look.theme(null);
	await look.readLogs();
	return [...look.complaints];
}
