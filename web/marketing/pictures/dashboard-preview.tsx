import { Activity, Bell, Gauge, LayoutDashboard, Package, PenLine, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Category } from '#contract/products.ts'
import { BalanceMeter } from '#web/kit/ui/balance-meter.tsx'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { CategoryPlaceholder } from '#web/kit/ui/category-placeholder.tsx'
import { cx } from '#web/kit/ui/cx.ts'
import { Logo } from '#web/kit/ui/logo.tsx'

/** A picture of a made-up member's dashboard. Nothing in it works. */
export function DashboardPreview() {
  return (
    <figure>
      <p className="sr-only">
        A sample dashboard: three products in the rotation, each with the status of its request, and a balance
        of four reviews given and three received.
      </p>
      <div
        aria-hidden="true"
        className={cx(
          'forced-color-adjust-none overflow-hidden rounded-16 border',
          'border-line bg-canvas shadow-picture',
        )}
      >
        <div className="grid md:grid-cols-[13rem_minmax(0,1fr)]">
          <Sidebar />
          <div className="min-w-0 p-5 sm:p-7">
            <p className="text-18 font-semibold text-ink">Dashboard</p>
            <div className="mt-4 grid gap-4 sm:grid-cols-2">
              <Sheet>
                <p className="flex items-center justify-between text-13 font-medium text-ink-2">
                  Total Products <Package size={16} className="text-ink-3" />
                </p>
                <p className="tabular mt-1.5 text-28 font-semibold text-ink">3</p>
                <p className="text-12 text-ink-3">Active products connected with coupon codes</p>
              </Sheet>
              <Sheet>
                <p className="text-13 font-medium text-ink-2">Balance</p>
                <div className="mt-4">
                  <BalanceMeter given={4} received={3} />
                </div>
                <p className="mt-3 text-12 text-ink-3">You can make 1 more request.</p>
              </Sheet>
            </div>
            <p className="mt-6 text-14 font-semibold text-ink">My Products</p>
            <div className="mt-3 grid gap-4 sm:grid-cols-3">
              {products.map((product) => (
                <Product key={product.title} {...product} />
              ))}
            </div>
          </div>
        </div>
      </div>
      <figcaption className="mt-3 text-center text-13 text-ink-3">
        Sample dashboard. The member and the products are made up.
      </figcaption>
    </figure>
  )
}

const items = [
  { icon: LayoutDashboard, label: 'Dashboard' },
  { icon: Activity, label: 'Activity' },
  { icon: Bell, label: 'Notifications' },
  { icon: Gauge, label: 'Cooldown Status' },
  { icon: PenLine, label: 'Reviews' },
  { icon: Settings, label: 'Settings' },
]

function Sidebar() {
  return (
    <div className="hidden border-r border-line px-3 py-4 md:block">
      <div className="px-2.5">
        <Logo />
      </div>
      <ul className="mt-5 space-y-0.5">
        {items.map(({ icon: Icon, label }, index) => (
          <li
            key={label}
            className={cx(
              'flex h-8 items-center gap-2.5 rounded-8 px-2.5 text-13',
              index === 0 ? 'bg-pressed font-semibold text-ink' : 'text-ink-2',
            )}
          >
            <Icon size={16} className={index === 0 ? 'text-accent-ink' : 'text-ink-3'} />
            {label}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Sheet({ children }: { children: ReactNode }) {
  return <div className="rounded-12 border border-line bg-surface p-4">{children}</div>
}

type ProductProps = { category: Category; title: string; state: ReactNode; quiet?: boolean }

const products: ProductProps[] = [
  { category: 'template', title: 'Weekly Meal Planner', state: 'In Review', quiet: true },
  { category: 'audio', title: 'Rain on a Tin Roof', state: 'See Review', quiet: true },
  { category: 'tool', title: 'Invoice Calculator', state: 'Get Reviewed' },
]

function Product({ category, title, state, quiet = false }: ProductProps) {
  return (
    <div className="overflow-hidden rounded-12 border border-line bg-surface max-sm:last:hidden">
      <CategoryPlaceholder category={category} className="aspect-16/9 w-full border-b border-line" />
      <div className="p-3.5">
        <CategoryBadge category={category} />
        <p className="mt-2 truncate text-14 font-semibold text-ink">{title}</p>
        <p
          className={cx(
            'mt-3 flex h-8 items-center justify-center gap-2 rounded-6 text-13 font-medium',
            quiet ? 'bg-pressed text-ink-2' : 'bg-accent text-on-accent',
          )}
        >
          {state}
        </p>
      </div>
    </div>
  )
}
