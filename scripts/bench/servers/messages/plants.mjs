/** The list of 100 plants that each server answers with. */
export const PLANTS = Array.from({ length: 100 }, (_, index) => ({
  id: 4_500_000_000_000 + index,
  name: `Rosa damascena no. ${index}`,
  price: 4.25 + index,
  family: 'rose',
  addedAt: '2026-11-28T09:30:00Z',
  inStock: index % 3 !== 0,
}));
