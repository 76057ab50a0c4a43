import type { Contract } from '../document/read-contract.ts';
import type { Schema } from '../schema/openapi-document.ts';
import { placesOf, type ContractPlaces } from '../schema/contract-places.ts';
import type { ContractValidator } from './express-openapi-validator/contract-validator.ts';
import { Defaults } from './defaults.ts';
import { FaultSearch } from './express-openapi-validator/fault-search.ts';
import type { Completion } from './complete-values.ts';

/** The validators of a contract's operations. */
export class Validation {
  readonly contract: Contract;
  readonly validator: ContractValidator;
  /** Where values have formats. */
  readonly places: ContractPlaces;
  readonly #defaults: Defaults;
  #faultSearch: FaultSearch | undefined;

  constructor(contract: Contract, validator: ContractValidator) {
    this.contract = contract;
    this.validator = validator;
    this.places = placesOf(contract, validator.customFormats.codecs);
    this.#defaults = new Defaults(contract.document);
  }

  /** Finds all faults of requests. Its schemas are compiled once for all operations. */
  get faultSearch(): FaultSearch {
    this.#faultSearch ??= new FaultSearch(this.contract, this.validator.operations, this.validator.customFormats);
    return this.#faultSearch;
  }

  /** How a part of a request with a schema is completed. */
  completionOf(schema: Schema): Completion {
    const place = this.places.placeOf(schema);
    return { place, defaults: this.#defaults.defaultsOf([schema], place) };
  }
}
