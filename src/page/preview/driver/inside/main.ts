import type { DriverRequest } from '../messages.ts';
import { takeStep } from './actions.ts';
import { evaluate } from './evaluate.ts';
import { answerProbe } from './probe.ts';
import { find, playwright } from './playwright.ts';
import { restoreFocus, retainFocus } from './retained-focus.ts';
import { settle } from './settle.ts';

type Asked = DriverRequest & { id: number };

/** Answers the page's requests, each with one message. An error becomes the answer of its request. */
SANDGLASS_HOST.onMessage((message) => {
	const request = message as Asked;
	answer(request).then(
		(value) => SANDGLASS_HOST.send({ id: request.id, ok: true, json: JSON.stringify(value) }),
		(error: unknown) => {
			const text = error instanceof Error ? error.message : String(error);
			SANDGLASS_HOST.send({ id: request.id, ok: false, json: JSON.stringify({ message: text }) });
		}
	);
});

async function answer(request: Asked): Promise<object> {
	switch (request.method) {
		case 'settle': {
			const isLoaded = await settle(request);
			const address = window.origin === 'null' ? '' : location.pathname + location.search + location.hash;
			return { title: document.title, address, isLoaded, width: innerWidth, height: innerHeight };
		}
		case 'snapshot': {
			const root = request.selector === null ? document.body : find(request.selector);
			if (!root) throw new Error(`There is no element ${request.selector} on the page now.`);
			return { tree: playwright.ariaSnapshot(root, { mode: 'ai' }) };
		}
		case 'step':
			restoreFocus();
			await takeStep(request.step, request.withinMs);
			retainFocus();
			return { done: true };
		case 'probe':
			return answerProbe(request.probe);
		case 'picture': {
			const element = request.selector === null ? null : find(request.selector);
			if (request.selector !== null && !element)
				throw new Error(`There is no element ${request.selector} on the page now.`);
			if (!SANDGLASS_HOST.draw) throw new Error('The part of the driver that draws is missing.');
			return SANDGLASS_HOST.draw(element, request.isFull);
		}
		case 'evaluate':
			restoreFocus();
			try {
				return { value: await evaluate(request.script) };
			} finally {
				retainFocus();
			}
	}
}
