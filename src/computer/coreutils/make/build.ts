import { assign } from './assign.ts';
import { expand } from './expand.ts';
import type { Expansion } from './expansion.ts';
import { MakeFailure } from './failure.ts';
import type { RecipeLine, Rule, Rules } from './rules.ts';
import { MakeVariables } from './variables.ts';

/** Options of make. */
export interface BuildHow {
	dryRun: boolean;
	silent: boolean;
	always: boolean;
	keepGoing: boolean;
	ignoreErrors: boolean;
	/** Only reports by the exit code whether a target is out of date. */
	question: boolean;
	touch: boolean;
}

/** Operations of the machine used for building. */
export interface Workshop {
	scope: Expansion;
	rules: Rules;
	how: BuildHow;
	/** `make` or `make[1]`, as messages begin. */
	name: string;
	/** Milliseconds; null where nothing is. */
	modified(path: string): number | null;
	touch(path: string): void;
	remove(path: string): void;
	/** Runs a line of a recipe with these variables in its environment. Gives the exit code. */
	run(command: string, scope: Expansion): Promise<number>;
	say(text: string): Promise<void>;
	warn(text: string): Promise<void>;
}

type Outcome = 'made' | 'there' | 'failed';

/** Time of a file that was just built. */
const NOW = Infinity;

/** Makes targets, each once. */
export class Build {
	readonly #done = new Map<string, Outcome>();
	readonly #under: string[] = [];
	/** Set if a recipe was run, or would be. */
	#worked = false;

	constructor(private readonly shop: Workshop) {}

	/** Makes what was asked for and says where nothing was to do. @throws MakeFailure */
	async goal(target: string): Promise<boolean> {
		this.#worked = false;
		const outcome = await this.#make(target, this.shop.scope, null);
		if (outcome === 'failed') return false;
		if (!this.#worked && !this.shop.how.silent && !this.shop.how.question) {
			const recipe = this.#rule(target)?.recipe.length ?? 0;
			const nothing = recipe === 0 || this.shop.rules.isPhony(target);
			await this.shop.say(
				nothing
					? `${this.shop.name}: Nothing to be done for '${target}'.\n`
					: `${this.shop.name}: '${target}' is up to date.\n`
			);
		}
		return true;
	}

	#rule(target: string): Rule | null {
		return this.shop.rules.find(target, (name) => this.#canBe(name));
	}

	/** Returns true if a file exists or a makefile mentions it. Chains of patterns are followed. */
	#canBe(name: string, depth = 0): boolean {
		if (this.shop.modified(name) !== null || this.shop.rules.mentions(name)) return true;
		return depth < 5 && this.shop.rules.find(name, (inner) => this.#canBe(inner, depth + 1)) !== null;
	}

	async #make(target: string, scope: Expansion, needs: string | null): Promise<Outcome> {
		const known = this.#done.get(target);
		if (known) return known;
		if (this.#under.includes(target)) {
			await this.shop.warn(`${this.shop.name}: Circular ${needs ?? target} <- ${target} dependency dropped.\n`);
			return 'there';
		}
		const rule = this.#rule(target);
		if (!rule) {
			if (this.shop.modified(target) !== null) return 'there';
			const by = needs === null ? '' : `, needed by '${needs}'`;
			const message = `No rule to make target '${target}'${by}.`;
			if (!this.shop.how.keepGoing) throw new MakeFailure(`${message}  Stop.`);
			await this.shop.warn(`${this.shop.name}: *** ${message}\n`);
			this.#done.set(target, 'failed');
			return 'failed';
		}
		this.#under.push(target);
		const outcome = await this.#follow(target, rule, await this.#scopeOf(target, scope));
		this.#under.pop();
		this.#done.set(target, outcome);
		return outcome;
	}

	async #scopeOf(target: string, scope: Expansion): Promise<Expansion> {
		const own = this.shop.rules.assignments.get(target);
		if (!own) return scope;
		const inner = { ...scope, variables: new MakeVariables(scope.variables) };
		for (const one of own) await assign(inner, one, 'file');
		return inner;
	}

	async #follow(target: string, rule: Rule, scope: Expansion): Promise<Outcome> {
		const { shop } = this;
		const prerequisites = [...new Set(rule.prerequisites)];
		let failed = false;
		const made = new Set<string>();
		for (const name of [...prerequisites, ...rule.orderOnly]) {
			const outcome = await this.#make(name, scope, target);
			if (outcome === 'failed') failed = true;
			if (outcome === 'made') made.add(name);
		}
		if (failed) {
			await shop.warn(`${shop.name}: Target '${target}' not remade because of errors.\n`);
			return 'failed';
		}
		const own = shop.rules.isPhony(target) ? null : shop.modified(target);
		const newer = prerequisites.filter((name) => own === null || made.has(name) || (shop.modified(name) ?? NOW) > own);
		if (own !== null && newer.length === 0 && !shop.how.always) return 'there';
		if (rule.recipe.length === 0) return own === null || newer.length > 0 ? 'made' : 'there';
		const inner = { ...scope, variables: new MakeVariables(scope.variables) };
		const automatic: Record<string, string> = {
			'@': target,
			'<': rule.prerequisites[0] ?? '',
			'^': prerequisites.join(' '),
			'+': rule.prerequisites.join(' '),
			'?': newer.join(' '),
			'*': rule.stem,
			'|': rule.orderOnly.join(' ')
		};
		for (const [name, value] of Object.entries(automatic)) {
			inner.variables.set(name, { value, recursive: false, origin: 'automatic' });
		}
		return (await this.#cook(target, rule.recipe, inner)) ? 'made' : 'failed';
	}

	/** Runs a recipe. False when it failed and the others go on. */
	async #cook(target: string, recipe: readonly RecipeLine[], scope: Expansion): Promise<boolean> {
		const { shop } = this;
		const { how } = shop;
		const before = shop.modified(target);
		const whole = shop.rules.isOneShell
			? [{ text: recipe.map(({ text }) => text).join('\n'), place: recipe[0]?.place ?? '' }]
			: recipe;
		for (const line of whole) {
			const expanded = await expand(scope, line.text);
			for (const text of shop.rules.isOneShell ? [expanded] : commandsOf(expanded)) {
				const [, marks = '', command = ''] = /^([\s@+-]*)(.*)$/s.exec(text) ?? [];
				if (command.trim() === '') continue;
				if (how.question) throw new MakeFailure('');
				this.#worked = true;
				const always = marks.includes('+') || /\$[({]MAKE[)}]/.test(line.text);
				const silent = marks.includes('@') || how.silent || shop.rules.isSilent(target);
				if (how.touch && !always) continue;
				if (!silent || how.dryRun) await shop.say(`${command}\n`);
				if (how.dryRun && !always) continue;
				const code = await shop.run(command, scope);
				if (code === 0) continue;
				const failure = `[${line.place}: ${target}] Error ${code}`;
				if (marks.includes('-') || how.ignoreErrors) {
					await shop.warn(`${shop.name}: ${failure} (ignored)\n`);
					continue;
				}
				if (shop.rules.mentions('.DELETE_ON_ERROR') && shop.modified(target) !== before) {
					await shop.warn(`${shop.name}: *** Deleting file '${target}'\n`);
					shop.remove(target);
				}
				if (!how.keepGoing) throw new MakeFailure(failure);
				await shop.warn(`${shop.name}: *** ${failure}\n`);
				return false;
			}
		}
		if (how.touch && !shop.rules.isPhony(target)) {
			this.#worked = true;
			if (!how.silent) await shop.say(`touch ${target}\n`);
			shop.touch(target);
		}
		return true;
	}
}

/** A line that a variable of several lines made several. What a backslash joins stays one. */
const commandsOf = (text: string): string[] => text.split(/(?<!\\)\n/);
