import { on } from 'node:events';
import { STATUS_CODES } from 'node:http';
import type { Handlers, ServerSentEvent } from 'openapi-exact';
import type { Garden, PhotoType, Plant } from './garden.ts';
import type { operations } from './generated/openapi.d.ts';

/** Binds the operations of the contract to a garden. */
export function gardenHandlers(garden: Garden): Handlers<operations> {
  return {
    listPlants: ({ query: { limit, after = 0n, since } }) => {
      // One more than is shown tells whether there is another page.
      const plants = garden.list(after, limit + 1, since);
      const page = plants.slice(0, limit);
      const last = page.at(-1);
      if (plants.length === page.length || last === undefined) return { status: 200, body: page };
      const from = since === undefined ? '' : `&since=${since.toISOString()}`;
      const next = `</plants?limit=${limit}&after=${last.id}${from}>; rel="next"`;
      return { status: 200, headers: { Link: next }, body: page };
    },

    addPlant: ({ body }) => {
      const { plant, version } = garden.add(body);
      return { status: 201, headers: { Location: `/plants/${plant.id}`, ETag: tagOf(version) }, body: plant };
    },

    getPlant: ({ params: { id }, headers }) => {
      const planted = garden.find(id);
      if (planted === undefined) return unknownPlant(id);
      const ETag = tagOf(planted.version);
      if (includesTag(headers['If-None-Match'], ETag)) return { status: 304, headers: { ETag } };
      return { status: 200, headers: { ETag }, body: planted.plant };
    },

    updatePlant: ({ params: { id }, headers, body }) => {
      const planted = garden.find(id);
      if (planted === undefined) return unknownPlant(id);
      const ifMatch = headers['If-Match'];
      if (ifMatch === undefined) return problem(428, 'Send If-Match with the ETag of the version that you have read.');
      if (!includesTag(ifMatch, tagOf(planted.version))) return problem(412, 'The plant has changed: read it again.');
      const { plant, version } = garden.update(planted, body);
      return { status: 200, headers: { ETag: tagOf(version) }, body: plant };
    },

    putPhoto: async ({ params: { id }, contentType, body }) => {
      const planted = garden.find(id);
      if (planted === undefined) return unknownPlant(id);
      if (contentType !== 'multipart/form-data') {
        await garden.storePhoto(planted, contentType, body);
        return { status: 204 };
      }
      for await (const part of body) {
        // A part has one of the types that the contract's encoding allows, or is refused.
        if (part.body) await garden.storePhoto(planted, part.contentType as PhotoType, part.body);
      }
      return { status: 204 };
    },

    getPhoto: ({ params: { id } }) => {
      const planted = garden.find(id);
      if (planted?.photoType === undefined) return problem(404, `There is no photo of the plant ${id}.`);
      return { status: 200, contentType: planted.photoType, body: garden.readPhoto(planted) };
    },

    watchPlants: ({ signal }) => ({ status: 200, body: plantEvents(garden, signal) }),
  };
}

/** An event for each change, until the client leaves. */
async function* plantEvents(garden: Garden, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  try {
    for await (const [plant] of on(garden.changes, 'plant', { signal }) as AsyncIterable<[Plant]>) {
      yield { event: 'plant', id: String(plant.id), data: plant };
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function tagOf(version: number): string {
  return `"${version}"`;
}

function includesTag(header: string | undefined, tag: string): boolean {
  return header === '*' || (header ?? '').split(',').some((item) => item.trim() === tag);
}

function unknownPlant(id: bigint): ReturnType<typeof problem<404>> {
  return problem(404, `There is no plant ${id}.`);
}

/** Problem details (RFC 9457), which the contract declares for every other status. */
function problem<Status extends 404 | 412 | 428>(status: Status, detail: string) {
  return { status, body: { title: STATUS_CODES[status] ?? '', status, detail } };
}
