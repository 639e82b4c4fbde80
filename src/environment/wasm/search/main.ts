import { startProgram } from '../process/start.ts';
import { search } from './search.ts';

startProgram(search);
