import { EventEmitter } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Decimal } from './decimal.ts';

/** A plant, as clients see it. */
export interface Plant {
  readonly id: bigint;
  readonly name: string;
  readonly height?: number;
  readonly price?: Decimal;
  readonly plantedAt: Date;
}

/** A merge patch of a plant; null removes a property. */
export interface Patch {
  readonly name?: string;
  readonly height?: number | null;
}

/** The media types of photos. */
export type PhotoType = 'image/png' | 'image/jpeg';

interface Planted {
  readonly plant: Plant;
  /** Counts the changes. */
  readonly version: number;
  readonly photoType?: PhotoType;
}

/** Plants in memory, with their photos in a folder. It knows nothing of HTTP. */
export class Garden {
  /** Emits `plant` for each plant that is added or changed. */
  readonly changes = new EventEmitter<{ plant: [Plant] }>();
  readonly #photos: string;
  readonly #plants = new Map<bigint, Planted>();
  // Ids from here on do not fit into a number.
  #nextId = 9007199254740993n;

  constructor(photos: string) {
    this.#photos = photos;
  }

  add(plant: Omit<Plant, 'id' | 'plantedAt'>): Planted {
    return this.#put({ plant: { id: this.#nextId++, plantedAt: new Date(), ...plant }, version: 1 });
  }

  find(id: bigint): Planted | undefined {
    return this.#plants.get(id);
  }

  /** Plants behind an id, in the order of their ids. */
  list(after: bigint, limit: number, since = new Date(0)): readonly Plant[] {
    const plants = [...this.#plants.values()].map(({ plant }) => plant);
    return plants.filter(({ id, plantedAt }) => id > after && plantedAt >= since).slice(0, limit);
  }

  update({ plant, version, ...planted }: Planted, { name = plant.name, height = plant.height }: Patch): Planted {
    const { height: _, ...others } = plant;
    const patched = { ...others, name, ...(height != null && { height }) };
    return this.#put({ ...planted, plant: patched, version: version + 1 });
  }

  async storePhoto(planted: Planted, photoType: PhotoType, bytes: Readable): Promise<void> {
    await pipeline(bytes, createWriteStream(this.#pathOf(planted)));
    this.#plants.set(planted.plant.id, { ...planted, photoType });
  }

  readPhoto(planted: Planted): Readable {
    return createReadStream(this.#pathOf(planted));
  }

  #put(planted: Planted): Planted {
    this.#plants.set(planted.plant.id, planted);
    this.changes.emit('plant', planted.plant);
    return planted;
  }

  #pathOf({ plant }: Planted): string {
    return join(this.#photos, String(plant.id));
  }
}
