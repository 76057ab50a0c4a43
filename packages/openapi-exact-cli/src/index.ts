export { generateFiles, type Generated, type GenerateOptions } from './commands/generate.ts';
export { clientShapes } from './generate/client-shapes.ts';
export { contractTypes } from './generate/contract-types.ts';
export { formatOption, type FormatOption } from './generate/format-option.ts';
export { reviewContract, type Review } from './lint/review.ts';
export { mockHandlers, type MockOptions } from './mock/mock-handlers.ts';
