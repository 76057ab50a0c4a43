import type { IncomingMessage } from 'node:http';
import passport from 'passport';
import { RequestError } from '../errors/errors.ts';
import { isPrincipal, type Principal, type Verifier } from './verifier.ts';

/** The outcome of a strategy, as passport hands it to a callback. */
type Settle = (error: unknown, user?: unknown, info?: unknown, status?: number) => void;

type PassportMiddleware = (request: object, response: object, next: (error?: unknown) => void) => void;

/**
 * A verifier that asks a passport strategy, which reads the request itself. The strategy's user is
 * the principal, so it must have a `name`; its challenge, if it has one, is that of the 401.
 * @example
 * const bearerAuth = passportVerifier(new Strategy(verify));
 * const verifiers: Verifiers<securitySchemes> = { bearerAuth };
 */
export function passportVerifier<User extends Principal = Principal>(
  strategy: passport.Strategy,
): Verifier<unknown, User> {
  const authenticator = new passport.Passport();
  // By name, passport gives each request an object of its own for the strategy's state; a strategy
  // passed to `authenticate` would be shared by concurrent requests.
  authenticator.use(STRATEGY_NAME, withRejections(strategy));
  const refusals = new StrategyRefusals();
  // Passport does not type its users: the author says what the strategy returns.
  const verify: Verifier<unknown> = (_credentials, scopes, request) => ask(authenticator, refusals, scopes, request);
  return verify as Verifier<unknown, User>;
}

const STRATEGY_NAME = 'strategy';

/** A strategy as passport hands it a request, with the callback of its author. */
type Verifying = passport.StrategyCreated<passport.Strategy> & { _verify?: unknown };

/**
 * The same strategy, whose rejections are errors: passport does not wait for async methods, and
 * strategies not for async callbacks, which all of them keep as `_verify`.
 */
function withRejections(strategy: passport.Strategy): passport.Strategy {
  const authenticate: passport.Strategy['authenticate'] = async function (this: Verifying, ...given) {
    const { _verify: verify } = this;
    if (typeof verify === 'function') {
      // A proxy has the number of parameters by which some strategies choose the arguments.
      this._verify = new Proxy(verify, {
        apply: (target, self, args) => {
          const result: unknown = Reflect.apply(target, self, args);
          // A callback that is not async has nothing to reject.
          if (result === undefined) return;
          void Promise.resolve(result).catch((error: unknown) => {
            this.error(asError(error));
          });
        },
      });
    }
    try {
      await strategy.authenticate.apply(this, given);
    } catch (error) {
      this.error(asError(error));
    }
  };
  // Safe: it inherits everything else from the strategy.
  return Object.create(strategy, { authenticate: { value: authenticate } }) as passport.Strategy;
}

function ask(
  authenticator: passport.Authenticator,
  refusals: StrategyRefusals,
  scopes: readonly string[],
  request: IncomingMessage,
): Promise<Principal | undefined> {
  return new Promise((resolve, reject) => {
    const settle: Settle = (error, user, info, status) => {
      if (error !== null && error !== undefined) reject(asError(error));
      else if (isPrincipal(user)) resolve(user);
      else if (user !== false && user !== undefined && user !== null) {
        reject(new Error("A passport strategy's user must have a name."));
      } else if (typeof info === 'string') reject(refusals.refusalWith(info, status));
      else if (status === 403) reject(strategyRefusal({}, status));
      else resolve(undefined);
    };
    // Passport types its middleware as `any`. With a callback it never responds by itself.
    const middleware = authenticator.authenticate(
      STRATEGY_NAME,
      { session: false, scope: [...scopes] },
      settle,
    ) as PassportMiddleware;
    const response = {
      setHeader: (): void => undefined,
      end: (): void => {
        reject(new Error('A passport strategy that redirects cannot verify a request.'));
      },
    };
    middleware(withOwnProperties(request), response, (error) => {
      reject(error === undefined ? new Error('A passport strategy let a request pass unverified.') : asError(error));
    });
  });
}

/**
 * The request with properties of its own, since passport adds its methods to it. A proxy rather
 * than `Object.create(request)`, since V8 makes a prototype of each request then, which is slow.
 */
function withOwnProperties(request: IncomingMessage): IncomingMessage {
  return new Proxy(request, new OwnProperties());
}

/** Keeps what is set on a request apart from it; closures would be made for each request. */
class OwnProperties implements ProxyHandler<IncomingMessage> {
  readonly #own: Record<PropertyKey, unknown> = {};

  has(target: IncomingMessage, key: PropertyKey): boolean {
    return Object.hasOwn(this.#own, key) || key in target;
  }

  get(target: IncomingMessage, key: PropertyKey): unknown {
    return Object.hasOwn(this.#own, key) ? this.#own[key] : Reflect.get(target, key);
  }

  set(_target: IncomingMessage, key: PropertyKey, value: unknown): boolean {
    this.#own[key] = value;
    return true;
  }
}

/** Keeps the last refusal of a strategy: most of them have the same challenge. */
class StrategyRefusals {
  #last: RequestError | undefined;

  /** @param challenge of the strategy. */
  refusalWith(challenge: string, status: number | undefined): RequestError {
    const last = this.#last;
    const isSame = last?.headers['WWW-Authenticate'] === challenge && (last.status === 403) === (status === 403);
    return isSame ? last : (this.#last = strategyRefusal({ 'WWW-Authenticate': challenge }, status));
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** @param headers with the strategy's challenge. */
function strategyRefusal(headers: Record<string, string>, status: number | undefined): RequestError {
  return status === 403
    ? new RequestError('insufficientScope', 'The credentials lack a right that this operation needs.', { headers })
    : new RequestError('invalidCredentials', 'The credentials are not valid.', { headers });
}
