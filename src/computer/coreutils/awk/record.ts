import { AwkError } from './faults.ts';
import { fromInput, type Value } from './values.ts';

interface Settings {
	split: (text: string) => string[];
	joiner: () => string;
	text: (value: Value) => string;
}

/** `$0` and its fields, each computed on demand. */
export class CurrentRecord {
	#whole: string | null = '';
	#fields: Value[] | null = [];
	/** Set until `$0` is first set, by the input or the program. */
	isUnset = true;
	#value: Value;

	constructor(private readonly settings: Settings) {}

	set(text: string, value?: Value): void {
		this.#whole = text;
		this.#fields = null;
		this.isUnset = false;
		this.#value = value;
	}

	get count(): number {
		return this.fields.length;
	}

	set count(count: number) {
		if (count < 0) throw new AwkError('NF set to negative value');
		const { fields } = this;
		while (fields.length < count) fields.push(null);
		fields.length = count;
		this.#change();
	}

	get(index: number): Value {
		if (index === 0)
			return this.isUnset && this.#whole === '' ? null : (this.#value ?? (this.#value = fromInput(this.text)));
		if (index < 0) throw new AwkError(`attempt to access field ${index}`);
		const { fields } = this;
		return index > fields.length ? null : fields[index - 1];
	}

	put(index: number, value: Value): void {
		if (index === 0) return this.set(this.settings.text(value), value);
		if (index < 0) throw new AwkError(`attempt to access field ${index}`);
		const { fields } = this;
		while (fields.length < index) fields.push(null);
		fields[index - 1] = value;
		this.#change();
	}

	#change(): void {
		this.#whole = null;
		this.isUnset = false;
		this.#value = undefined;
	}

	get text(): string {
		return (this.#whole ??= (this.#fields ?? []).map(this.settings.text).join(this.settings.joiner()));
	}

	/** The fields, split by the current rules. */
	get fields(): Value[] {
		return (this.#fields ??= this.settings.split(this.#whole ?? '').map(fromInput));
	}
}
