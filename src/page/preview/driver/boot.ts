/**
 * Runs inside a displayed document before any script of the project. It offers the page one end of a new MessagePort,
 * identified by a key that only the page and this script know, and waits there for the rest of the driver, which is
 * sent on first use. It captures the globals it needs now, before the project can replace them.
 *
 * Its source text is sent, so it uses nothing from outside itself.
 *
 * @param isDriven true if dialogs are answered immediately instead of displayed: there may be no user to close them
 */
export function boot(key: string, isDriven: boolean): void {
	const own = document;
	own.currentScript?.remove();
	const { apply } = Reflect;
	const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')?.get;
	const text = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')?.set;
	if (!data || !text) return;
	const createElement = own.createElement.bind(own);
	const { appendChild } = Node.prototype;
	const { remove } = Element.prototype;
	const { port1, port2 } = new MessageChannel();
	const send = port1.postMessage.bind(port1);

	/** Answers for the next dialogs; without one they are dismissed. */
	const answers: { accept: boolean; text?: string }[] = [];
	const dialog = (kind: string, shown: unknown): { accept: boolean; text?: string } => {
		const answer = answers.shift() ?? { accept: kind === 'alert' };
		console.info(`[dialog] ${kind}: ${String(shown ?? '')} → ${answer.accept ? 'accepted' : 'dismissed'}`);
		return answer;
	};
	const takeDialogs = (): void => {
		window.alert = (shown?: unknown) => void dialog('alert', shown);
		window.confirm = (shown) => dialog('confirm', shown).accept;
		window.prompt = (shown, given = '') => {
			const { accept, text: typed = given } = dialog('prompt', shown);
			return accept ? typed : null;
		};
		window.print = () => void dialog('print', '');
	};
	if (isDriven) takeDialogs();

	let handle: ((message: unknown) => void) | null = null;
	// Registered before the listeners that report errors: mistakes in a script from the driver's user are not errors of
	// the page.
	const compiling = { is: false };
	addEventListener(
		'error',
		(event) => {
			if (!compiling.is) return;
			event.preventDefault();
			event.stopImmediatePropagation();
		},
		true
	);
	const host = { send, answers, compiling, onMessage: (take: (message: unknown) => void) => void (handle = take) };
	port1.onmessage = (event) => {
		const message: { type?: string; code?: string; name?: string } = apply(data, event, []);
		if (message.type !== 'load') return handle?.(message);
		takeDialogs();
		const name = String(message.name);
		Object.defineProperty(window, name, { value: host, configurable: true });
		const script = createElement('script');
		apply(text, script, [message.code]);
		apply(appendChild, own.documentElement, [script]);
		apply(remove, script, []);
		Reflect.deleteProperty(window, name);
		send({ loaded: handle !== null });
	};
	window.parent.postMessage({ sandglassDriver: key }, '*', [port2]);
}

/** Source of the driver's first part for the top of a displayed document. */
export function bootScript(key: string, isDriven: boolean): string {
	return `<script>(${boot.toString()})(${JSON.stringify(key)}, ${isDriven})\n//# sourceURL=sandglass-driver.js\n</script>`;
}
