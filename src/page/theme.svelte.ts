export type ThemeChoice = 'system' | 'light' | 'dark';

const KEY = 'sandglass-theme';
const ORDER: ThemeChoice[] = ['system', 'light', 'dark'];

/** Theme: light, dark, or the system's. */
class Theme {
	choice: ThemeChoice = $state(read());
	#system = matchMedia('(prefers-color-scheme: dark)');
	#systemDark = $state(this.#system.matches);

	constructor() {
		this.#system.addEventListener('change', () => (this.#systemDark = this.#system.matches));
		this.#apply();
	}

	get dark(): boolean {
		return this.choice === 'dark' || (this.choice === 'system' && this.#systemDark);
	}

	next(): void {
		this.choose(ORDER[(ORDER.indexOf(this.choice) + 1) % ORDER.length] ?? 'system');
	}

	choose(choice: ThemeChoice): void {
		this.choice = choice;
		this.#apply();
		try {
			localStorage.setItem(KEY, this.choice);
		} catch {
			// Storage is blocked: the choice lasts until the page is closed.
		}
	}

	#apply(): void {
		const root = document.documentElement;
		if (this.choice === 'system') delete root.dataset['theme'];
		else root.dataset['theme'] = this.choice;
	}
}

function read(): ThemeChoice {
	try {
		const value = localStorage.getItem(KEY);
		return value === 'light' || value === 'dark' ? value : 'system';
	} catch {
		return 'system';
	}
}

export const theme = new Theme();
