import { expect, test } from '@jest/globals';
import { subjectName } from '../../../src/auth/jwt/subject-name.ts';

test('different subjects have different names', () => {
  const long = 'x'.repeat(200);
  const subjects = ['a', 'a ', ' a', 'a\n', 'a\\u{a}', 'a\u{a0}', 'A', 'ä', `${long}1`, `${long}2`, '\ud800', '\udc00'];
  expect(new Set(subjects.map(subjectName)).size).toBe(subjects.length);
  // Who knows the name of a long one cannot take it.
  expect(subjectName(subjectName(long).slice(4))).not.toBe(subjectName(long));
  expect(subjectName(`${'x'.repeat(66)}${'😀'.repeat(30)}`)).not.toMatch(/\p{Surrogate}/u);
  expect(subjectName('auth0|5f7c8ec7')).toBe('jwt:auth0|5f7c8ec7');
});
