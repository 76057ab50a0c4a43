/** The part of supertest that send.ts uses. Its own types would bring four packages. */
declare module 'supertest' {
  import type { Server } from 'node:http';

  interface Response {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly body: unknown;
  }

  interface Request extends Promise<Response> {
    set(headers: Readonly<Record<string, string>>): this;
    set(name: string, value: string): this;
    buffer(whole: boolean): this;
    parse(parser: (stream: NodeJS.ReadableStream, done: (error: Error | null, body: unknown) => void) => void): this;
    ok(isSuccess: (response: Response) => boolean): this;
    send(body?: string): this;
  }

  type Method = 'delete' | 'get' | 'head' | 'options' | 'patch' | 'post' | 'put';

  export default function supertest(server: Server): Record<Method, (target: string) => Request>;
}
