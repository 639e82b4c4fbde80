export { createAnthropicProfile } from './anthropic.ts';
export { bind } from './bind.ts';
export { createCodeModeProfile } from './code-mode.ts';
export { familyOf, profileForModel } from './for-model.ts';
export { createGeminiProfile } from './gemini.ts';
export { createOpenAIProfile, type OpenAIProfileOptions } from './openai.ts';
export type { ProfileOptions } from './options.ts';
export { createPiProfile, type PiProfileOptions } from './pi.ts';
