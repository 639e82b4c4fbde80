/**
 * Creates the `Function` of a `vm` context: functions created by it see the names of the context, and its global object
 * as the default `this`. It shares the prototype of the program's own `Function`.
 *
 * @param evaluate runs a script in the context
 */
export function contextFunction(global: object, evaluate: (code: string) => unknown): FunctionConstructor {
	const make = (args: unknown[]): object => {
		const words = args.map(String);
		// Throws the SyntaxError if the text is not valid as parameters or a function body.
		const plain: unknown = Reflect.construct(Function, words);
		const body = words.pop() ?? '';
		const made = evaluate(`(function anonymous(${words.join()}\n) {\n${body}\n})`);
		if (typeof made !== 'function' || typeof plain !== 'function') throw new TypeError('No function was made.');
		if (!/\bthis\b/.test(body)) return made;
		return new Proxy(made, {
			apply: (target, self, given) => Reflect.apply(target, self ?? global, given) as unknown
		});
	};
	const own: FunctionConstructor = new Proxy(Function, {
		apply: (_target, _self, args: unknown[]) => make(args),
		construct: (target, args: unknown[], newTarget) =>
			newTarget === own ? make(args) : (Reflect.construct(target, args, newTarget) as object)
	});
	return own;
}
