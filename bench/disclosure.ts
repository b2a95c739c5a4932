/** What the marketplaces of the benches ask for, and their reviews say. */
export const disclosure =
  'I belong to a review exchange and bought this with a discount code; my opinion is my own.'
