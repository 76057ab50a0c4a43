import { EventEmitter } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A plant, as clients see it. */
export interface Plant {
  readonly id: bigint;
  readonly name: string;
  readonly height?: number;
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

  add(plant: Omit<Plant, 'id'>): Planted {
    return this.#put({ plant: { id: this.#nextId++, ...plant }, version: 1 });
  }

  find(id: bigint): Planted | undefined {
    return this.#plants.get(id);
  }

  /** Plants behind an id, in the order of their ids. */
  list(after: bigint, limit: number): readonly Plant[] {
    const plants = [...this.#plants.values()].map(({ plant }) => plant);
    return plants.filter(({ id }) => id > after).slice(0, limit);
  }

  update({ plant, version, ...others }: Planted, { name = plant.name, height = plant.height }: Patch): Planted {
    const patched = { id: plant.id, name, ...(height != null && { height }) };
    return this.#put({ ...others, plant: patched, version: version + 1 });
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
