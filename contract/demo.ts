// What the demo club does differently from the rules, so that one person can try everything in minutes.
import { confirmHours } from './reviews.ts'
import { count, hours, minutes } from './format.ts'

/** The longest minimum time of use, in seconds. */
export const demoUseSeconds = 10
/** When the simulator's staff confirm a review that a visitor has not answered, in minutes. */
export const demoConfirmMinutes = 10
/** Sign-ups an hour from one address, which all who try the demo may share. */
export const demoSignUpsPerHour = 60

/** `where` names the clubs in which it holds: those where memberships can be bought, or can't; else all. */
type DemoDifference = { name: string; sentence: string; where?: 'open' | 'closed' }

/** Every difference, as /rules lists them. A check compares it with the places that ask for the mode. */
export const demoDifferences: readonly DemoDifference[] = [
  {
    name: 'Made-up members',
    sentence:
      'Everyone but you and other visitors is simulated. They answer offers, buy and write within ' +
      'seconds, and their reviews are made up.',
  },
  {
    name: 'A made-up shop',
    sentence:
      'The marketplace doesn’t exist. Coupon links open our demo shop instead: its checkout costs ' +
      'nothing and gives you an order number and a receipt.',
  },
  {
    name: 'No payments',
    sentence: 'Your membership starts when you confirm your email, and renews automatically.',
    where: 'closed',
  },
  {
    name: 'Time of use',
    sentence: `You can submit a review ${demoUseSeconds} seconds after you prove the purchase.`,
  },
  {
    name: 'Test payments',
    sentence: 'You join on a payment page of our own that moves no money. It takes test card numbers only.',
    where: 'open',
  },
  { name: 'The draw', sentence: 'Every draw includes all members from the start.' },
  {
    name: 'Confirming',
    sentence:
      `You have ${minutes(demoConfirmMinutes)} to confirm a review of your product. Then simulated staff ` +
      `confirm it, instead of waiting ${hours(confirmHours)}.`,
  },
  {
    name: 'Email',
    sentence: 'Nothing is sent. Every email is in the demo mailbox, where anyone can read it.',
  },
  {
    name: 'Support',
    sentence:
      'No person reads the messages that you write to us. Sign in as the demo’s staff to answer them.',
  },
  {
    name: 'Limits',
    sentence:
      `One address can make ${count(demoSignUpsPerHour, 'account')} an hour ` +
      'and keep any number of pages open.',
  },
]

/** The host of the made-up marketplace, and where our own server shows it. */
export const demoShop = { host: 'makerlane.example', path: '/demo-shop' }

/** Where the demo shows an address of its made-up marketplace; null for any other address. */
export function demoShopPath(link: string): string | null {
  if (!URL.canParse(link)) return null
  const { protocol, hostname, pathname, search } = new URL(link)
  return protocol === 'https:' && hostname === demoShop.host ? `${demoShop.path}${pathname}${search}` : null
}

/** A coupon link of the made-up marketplace, which sells whatever listing a member connects. */
export const demoCouponLink = (listing: string) => `https://${demoShop.host}/listing/${listing}?coupon=FREE`
