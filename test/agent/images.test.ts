import { describe, expect, it } from 'vitest';
import { AttachmentRefusedError, MemoryLog } from '#agent/index.ts';
import type { ImageLimits } from '#agent/image-policy.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import type { ContentPart, ImagePart } from '#llm/types.ts';
import { fakeSession, temporaryEnvironment } from './fake-session.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

const image: ImagePart = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' };
const look = fakeTool('look', () => ({ content: 'Read it', images: [image], isError: false }));
const turns = [{ calls: [{ name: 'look' }] }, { text: 'A cat.' }];
const attached: ContentPart[] = [{ type: 'text', text: 'What is it?' }, image];

describe('pictures', () => {
	it('a tool reads reach a model that sees them', async () => {
		const { session, client } = await fakeSession(turns, { profile: fakeProfile([look]) });
		await session.submit('Look').result;
		expect(JSON.stringify(client.requests[1]?.messages)).toContain(image.data);
	});

	it('are not sent when they are switched off [J.11-2.1]', async () => {
		const { session, client } = await fakeSession(turns, { profile: fakeProfile([look]), images: { block: true } });
		await session.submit('Look').result;
		const sent = JSON.stringify(client.requests[1]?.messages);
		expect(sent).not.toContain(image.data);
		expect(sent).toContain('A picture was left out: pictures are switched off');
		expect(JSON.stringify(session.conversation.messages)).toContain(image.data);
	});

	it('are left out for a model that sees none [J.11-2.2]', async () => {
		const profile = fakeProfile([look], { supportsImages: false });
		const { session, client } = await fakeSession(turns, { profile });
		await session.submit('Look').result;
		expect(JSON.stringify(client.requests[1]?.messages)).not.toContain(image.data);
	});

	it('a tool reads are made to fit the size of the session by what its host scales with [J.11-2.3]', async () => {
		const environment = await temporaryEnvironment();
		const png = new Uint8Array(2_000_000);
		png.set(Uint8Array.from(atob(image.data), (char) => char.charCodeAt(0)));
		await environment.writeFile('large.png', png);
		const asked: ImageLimits[] = [];
		const small: ImagePart = { ...image, data: btoa('small') };
		const { session, client } = await fakeSession(
			[{ calls: [{ name: 'read', arguments: { path: 'large.png' } }] }, { text: 'A cat.' }],
			{
				environment,
				profile: createPiProfile({ model: 'm' }),
				images: { maxBytes: 1_000_000 },
				scaleImage: (_, limits) => (asked.push(limits), Promise.resolve(small))
			}
		);
		await session.submit('Look').result;
		expect(asked).toMatchObject([{ maxBytes: 1_000_000 }]);
		expect(client.requests[1]?.messages.at(-1)?.content).toMatchObject([{ isError: false, images: [small] }]);
	});

	it('are sent again once the model can see them', async () => {
		const { session, client } = await fakeSession([...turns, { text: 'Yes.' }], {
			profile: fakeProfile([look], { supportsImages: false })
		});
		await session.submit('Look').result;
		session.setModel(fakeProfile([look], { model: 'sees' }));
		await session.submit('And now?').result;
		expect(JSON.stringify(client.requests[2]?.messages)).toContain(image.data);
	});

	it('stay switched off when the session is opened again [J.11-2.4]', async () => {
		const log = new MemoryLog();
		const { session } = await fakeSession([], { log });
		session.setImages({ block: true, maxBytes: 1_000 });
		await session.close();
		const again = await fakeSession(turns, { log, profile: fakeProfile([look]) });
		expect(again.session.images).toEqual({ block: true, maxBytes: 1_000 });
		await again.session.submit('Look').result;
		expect(JSON.stringify(again.client.requests[1]?.messages)).not.toContain(image.data);
	});

	it('beside a text go into the message [A-20]', async () => {
		const { session, client } = await fakeSession([{ text: 'A cat.' }]);
		await session.submit(attached).result;
		expect(client.requests[0]?.messages[0]?.content).toEqual(attached);
	});

	it('the model cannot take are refused before anything happens, with what to do [A-20]', async () => {
		const { session, client } = await fakeSession([{ text: 'Hi.' }], {
			profile: fakeProfile([], { supportsImages: false })
		});
		for (const send of [
			() => session.submit(attached),
			() => session.steer(attached),
			() => session.followUp(attached)
		]) {
			expect(send).toThrow(AttachmentRefusedError);
			expect(send).toThrow('this model sees no pictures. Remove it, or choose another model.');
		}
		expect(session.state).toBe('idle');
		expect(client.requests).toEqual([]);
		expect((await session.submit('Without').result).stopReason).toBe('end_turn');
	});
});
