import { beforeAll, describe, expect, test } from '@jest/globals';
import { validate, type ValidatorSettings, ValidationSeverity } from 'dockerfile-utils';
import { readFile } from 'node:fs/promises';
import { environmentOf, execForm, readStages, textsOf, type Stage } from '../support/dockerfile.ts';

const DOCKERFILE = await readFile(new URL('../../Dockerfile', import.meta.url), 'utf8');

/** Everything that the linter knows is an error here. */
const STRICT: ValidatorSettings = {
  deprecatedMaintainer: ValidationSeverity.ERROR,
  directiveCasing: ValidationSeverity.ERROR,
  emptyContinuationLine: ValidationSeverity.ERROR,
  instructionCasing: ValidationSeverity.ERROR,
  instructionCmdMultiple: ValidationSeverity.ERROR,
  instructionEntrypointMultiple: ValidationSeverity.ERROR,
  instructionHealthcheckMultiple: ValidationSeverity.ERROR,
  instructionJSONInSingleQuotes: ValidationSeverity.ERROR,
  instructionWorkdirRelative: ValidationSeverity.ERROR,
};

describe('the Dockerfile', () => {
  let stages: Stage[];
  let image: Stage;
  beforeAll(async () => {
    stages = await readStages();
    image = stages.at(-1) ?? [];
  });

  test('has nothing that the linter objects to', () => {
    expect(validate(DOCKERFILE, STRICT)).toEqual([]);
  });

  test('builds with a compiler and ends in a slim image of the same Node', () => {
    const bases = stages.map(([from]) => from?.text.replace(/ AS .*/, ''));
    expect(bases).toEqual(['node:26-trixie', 'node:26-trixie', 'node:26-trixie-slim']);
  });

  test('builds the program on the building machine, and better-sqlite3 for the processor of the image', () => {
    expect(DOCKERFILE.match(/^FROM .*/gm)).toEqual([
      'FROM node:26-trixie AS dependencies',
      'FROM --platform=$BUILDPLATFORM node:26-trixie AS build',
      'FROM node:26-trixie-slim',
    ]);
  });

  test('ends in an image whose process is node itself, without a shell, told to stop by SIGTERM', () => {
    expect(textsOf(image, 'ENTRYPOINT').map(execForm)).toEqual([['node', '/app/dist/cli.js']]);
    expect(textsOf(image, 'CMD').map(execForm)).toEqual([['serve']]);
    expect(textsOf(image, 'STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(textsOf(image, 'HEALTHCHECK').map((text) => execForm(text)[0])).toEqual(['node']);
  });

  test('ends in an image for production, of a user that is seen not to be root, with a volume for the data', () => {
    expect(textsOf(image, 'USER')).toEqual(['1000:1000']);
    expect(textsOf(image, 'VOLUME')).toEqual(['/app/data']);
    expect(environmentOf(image)).toEqual({ NODE_ENV: 'production', HOST: '0.0.0.0' });
  });
});
