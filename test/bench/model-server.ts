// Runs the scripted model in a process of its own: `/<task>/…` of each provider's wire, one conversation at a time.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { playTurn, ScenarioPlayer } from '../../src/llm/scenario/player.ts';
import { anthropic } from '../model-server/anthropic.ts';
import { gemini } from '../model-server/gemini.ts';
import { openaiResponses } from '../model-server/openai-responses.ts';
import { tasks, type TaskName } from './loop/tasks.ts';

const formats = [anthropic, openaiResponses, gemini];
const players = new Map<string, ScenarioPlayer>();
let serial = 0;

const server = createServer((request, response) => {
	text(request)
		.then(() => {
			const path = new URL(request.url ?? '', 'http://localhost').pathname;
			// `/<run>/<task>/…`: each run is a separate conversation.
			const [, run = '', task = ''] = path.split('/');
			const key = `${run}/${task}`;
			const player = players.get(key) ?? new ScenarioPlayer({ name: key, turns: tasks[task as TaskName].turns });
			players.set(key, player);
			const turn = player.next();
			const format = formats.find((each) => each.serves(path));
			if (!format) throw new Error(`Nothing is served at ${path}.`);
			serial++;
			const played = playTurn(turn, [], () => `call_${serial}`);
			const chunkCharacters = turn.pace?.chunkCharacters ?? 16;
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			// In one piece: the cost of waking up for each chunk is the transport's, and differs from run to run.
			response.end(format.frames(played, { model: 'scripted', chunkCharacters, serial }).join(''));
		})
		.catch((error: unknown) => response.writeHead(400).end(String(error)));
});
server.listen(0, '127.0.0.1', () => {
	const address = server.address();
	if (address && typeof address !== 'string') process.send?.(address.port);
});
process.on('disconnect', () => process.exit());
