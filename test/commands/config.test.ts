import { expect, test } from '@jest/globals';
import { SETTINGS } from '../../src/config.ts';
import type { Setting } from '../../src/setting.ts';
import { workplaceOfEachTest, type Environment } from '../support/cli.ts';

const place = workplaceOfEachTest();

/** What `config` prints, by variable. */
async function shown(env: Environment): Promise<Record<string, string>> {
  const { code, stdout } = await place.run(['config'], { env });
  expect(code).toBe(0);
  return Object.fromEntries(
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const [, name = '', rest = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
        return [name, rest.replace(/ +# /, ' # ')];
      }),
  );
}

test('config prints every setting with its effective value and where that comes from', async () => {
  await place.write('.env', 'LOG_LEVEL=warn\nPORT=1\n');
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);
  const lines = await shown({ PORT: '8080' });
  expect(Object.keys(lines)).toEqual(settings.map(({ variable }) => variable));
  expect(lines).toMatchObject({
    PORT: '8080 # environment',
    LOG_LEVEL: 'warn # .env',
    AUDIT_LOG: 'off # default',
    DOCS: 'on # default',
    HOST: '127.0.0.1 # default',
    DATABASE_URL: `sqlite:${place.folder}/data/plants.db # default`,
  });
  expect(await shown({ NODE_ENV: 'production' })).toMatchObject({ DOCS: 'off # default' });
  expect(await place.shell('ls')).toMatchObject({ stdout: '' });
});

test.each(['db', 'a:1,b:2,[::1]:3'])('config masks passwords in a URL with the hosts "%s"', async (hosts) => {
  const env = { DATABASE_URL: `postgres://plants:secret@${hosts}/plants?password=secret&sslmode=require` };
  const { code, stdout, stderr } = await place.run(['config'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(`DATABASE_URL='postgres://plants:***@${hosts}/plants?password=***&sslmode=require'`);
  expect(stdout).not.toContain('secret');
});

test('config names unknown settings in .env', async () => {
  await place.write('.env', 'PROT=8080\nPGPASSWORD=x\n');
  expect(await place.run(['config'])).toMatchObject({
    code: 0,
    stderr: '.env has PROT, which is not a setting of plant-store.\n',
  });
});
