import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: false });

/** Sends one DELETE. @returns the status. */
export function sendDelete(port: number, token: string, id: string): Promise<number> {
  return new Promise((done, fail) => {
    const headers = { authorization: `Bearer ${token}` };
    request({ agent, host: '127.0.0.1', port, method: 'DELETE', path: `/plants/${id}`, headers }, (response) => {
      response.on('error', fail);
      response.resume().once('end', () => {
        done(response.statusCode ?? 0);
      });
    })
      .on('error', fail)
      .end();
  });
}
