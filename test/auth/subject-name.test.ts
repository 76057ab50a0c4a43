import { expect, test } from '@jest/globals';
import { subjectName } from '../../src/auth/subject-name.ts';

test('different subjects have different names', () => {
  const long = 'x'.repeat(200);
  const subjects = ['a', 'a ', ' a', 'a\n', 'a\\u{a}', 'a\u{a0}', 'A', 'ä', `${long}1`, `${long}2`, '\ud800', '\udc00'];
  expect(new Set(subjects.map(subjectName)).size).toBe(subjects.length);
  expect(subjectName('auth0|5f7c8ec7')).toBe('jwt:auth0|5f7c8ec7');
});
