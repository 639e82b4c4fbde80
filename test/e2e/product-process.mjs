// Runs the built product in a separate process, for tests that kill it: every outside name is this computer.
import { startServer } from '../../dist/server/main.js';

const ADDRESS = { address: '127.0.0.1', family: 4 };
const lookup = (_name, { all }, answer) =>
	all ? answer(null, [ADDRESS]) : answer(null, ADDRESS.address, ADDRESS.family);

const { url } = await startServer({ lookup, log: (line) => console.log(JSON.stringify(line)) });
console.log(`Sandglass is ready at ${url}`);
