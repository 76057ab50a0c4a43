import { Name, sql, type Database, type Row } from './database.ts';

export interface PlantRow extends Row {
  readonly id: bigint;
  readonly name: string | null;
  readonly price: bigint | null;
  readonly note: string | null;
  readonly version: bigint;
}

export interface NewPlant {
  readonly name: string;
  readonly price: bigint;
  readonly note?: string | undefined;
}

export async function createPlant({ write }: Database, { name, price, note }: NewPlant): Promise<bigint> {
  const [[created] = []] = await write(sql`INSERT INTO plants (id, name, price, note)
    SELECT coalesce(max(id), 0) + 1, ${name}, ${price}, ${note ?? null} FROM plants RETURNING id`);
  if (typeof created?.['id'] !== 'bigint') throw new Error('no id');
  return created['id'];
}

export async function findPlant({ read }: Database, id: bigint): Promise<PlantRow | undefined> {
  const [plant] = await read<PlantRow>(sql`SELECT id, name, price, note, version FROM plants WHERE id = ${id}`);
  return plant;
}

export interface PlantFilter {
  readonly price?: bigint | null | undefined;
  readonly minPrice?: bigint | null | undefined;
  readonly after?: bigint | null | undefined;
  readonly sort: 'id' | '-id';
}

export async function listPlants(
  { read }: Database,
  { price = null, minPrice = null, after = null, sort }: PlantFilter,
  count: number,
): Promise<readonly PlantRow[]> {
  const [behind, order] = sort === 'id' ? (['>', 'ASC'] as const) : (['<', 'DESC'] as const);
  return read<PlantRow>(sql`SELECT id, name, price, note, version FROM plants
    WHERE (${after} IS NULL OR id ${new Name(behind)} ${after})
      AND coalesce(price, -1) = coalesce(${price}, price, -1)
      AND coalesce(price, -1) >= coalesce(${minPrice}, -1)
    ORDER BY id ${new Name(order)} LIMIT ${BigInt(count)}`);
}

export async function updatePrice({ write }: Database, id: bigint, price: bigint): Promise<boolean> {
  const [updated = []] = await write(sql`
    UPDATE plants SET price = ${price}, version = version + 1 WHERE id = ${id} RETURNING id`);
  return updated.length === 1;
}

export async function findLabel({ read }: Database, id: bigint): Promise<string | null> {
  const [plant] = await read<{ label: string | null }>(sql`SELECT label FROM plants WHERE id = ${id}`);
  return plant?.label ?? null;
}

export async function updateLabel({ write }: Database, id: bigint, label: string): Promise<boolean> {
  const [updated = []] = await write(sql`UPDATE plants SET label = ${label} WHERE id = ${id} RETURNING id`);
  return updated.length === 1;
}
