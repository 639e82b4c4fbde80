const SEPARATOR = '\0\0\0';
const RESTORE = new RegExp(`^${Array.from({ length: 9 }, () => `${SEPARATOR}([^]*)`).join('')}$`);

/** Keeps `RegExp.$1` to `RegExp.$9` of one statement for the next: what runs in between matches, too. */
export class RegExpMatches {
	#kept = Array.from({ length: 9 }, () => '');

	restore(): void {
		RESTORE.exec(this.#kept.map((text) => SEPARATOR + text).join(''));
	}

	keep(): void {
		this.#kept = this.#kept.map((_, index) => String(Reflect.get(RegExp, `$${index + 1}`)));
	}
}
