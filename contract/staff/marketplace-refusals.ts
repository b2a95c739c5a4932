/** The refusals of the register, apart from its calls so that members' browsers load nothing else of it. */
export const marketplaceRefusals = {
  MARKETPLACE_EXISTS: { status: 409, message: 'Another marketplace on the list has this name or host.' },
  MARKETPLACE_IS_CLOSED: { status: 409, message: 'This marketplace is already closed.' },
  MARKETPLACE_IS_OPEN: { status: 409, message: 'This marketplace is open.' },
  READ_IN_FUTURE: { status: 400, message: 'This day is still to come.' },
}
