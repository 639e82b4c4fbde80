import { compareEveryday } from '../environment/wasm/shell/everyday.ts';

compareEveryday(1);
