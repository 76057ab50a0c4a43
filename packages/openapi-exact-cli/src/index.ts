export { generateFiles, type Generated, type GenerateOptions } from './commands/generate.ts';
export { clientShapes } from './generate/client-shapes.ts';
export { formatOption, type FormatOption } from './generate/format-types.ts';
export { contractTypes } from './generate/types.ts';
export { reviewContract, type Review } from './lint/review.ts';
export { mockHandlers } from './mock/mock-handlers.ts';
