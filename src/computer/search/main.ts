import { startProgram } from '#computer/process/start.ts';
import { search } from './search.ts';

startProgram(search);
