/** Distinct ids from the whole range of int64, in no order; the same ones each time. */
export function shuffledIds(count: number, seed = 0): BigInt64Array {
  const ids = new BigInt64Array(count);
  for (let index = 0; index < count; index++) ids[index] = mix(BigInt(seed + index));
  return ids;
}

/** The finaliser of SplitMix64 (https://prng.di.unimi.it/splitmix64.c), a bijection: distinct numbers stay distinct. */
function mix(value: bigint): bigint {
  let mixed = BigInt.asUintN(64, (value + 1n) * 0x9e3779b97f4a7c15n);
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
  return BigInt.asIntN(64, mixed ^ (mixed >> 31n));
}
