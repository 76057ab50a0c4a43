import { expect, test } from '@jest/globals';
import { nameInMessages } from './resources.ts';

test('the `id` of a message is what the last parameter of its path names, not a parent', () => {
  const task = { id: 3n, title: 'Repot' };
  expect(nameInMessages('taskId', ['id', 'taskId'], task)).toBe('id');
  expect(nameInMessages('taskId', ['plantId', 'taskId'], task)).toBe('id');
  expect(nameInMessages('id', ['id', 'taskId'], task)).toBeUndefined();
  expect(nameInMessages('plantId', ['plantId', 'taskId'], task)).toBeUndefined();
  expect(nameInMessages('plantId', ['plantId', 'taskId'], { ...task, plantId: 12n })).toBe('plantId');
  expect(nameInMessages('id', ['id'], task)).toBe('id');
  expect(nameInMessages('name', ['name'], task)).toBeUndefined();
});
