import { useState } from 'react'
import { categories } from '#contract/products.ts'
import { serverNow } from '#web/kit/time.ts'
import { Avatar } from '#web/kit/ui/avatar.tsx'
import { BalanceMeter } from '#web/kit/ui/balance-meter.tsx'
import { Button } from '#web/kit/ui/button.tsx'
import { CategoryBadge } from '#web/kit/ui/category-badge.tsx'
import { CategoryPlaceholder } from '#web/kit/ui/category-placeholder.tsx'
import { CopyButton } from '#web/kit/ui/copy-button.tsx'
import { Countdown } from '#web/kit/ui/countdown.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { FileDrop, proofFiles } from '#web/kit/ui/file-drop.tsx'
import { Kbd } from '#web/kit/ui/kbd.tsx'
import { Logo, Mark } from '#web/kit/ui/logo.tsx'
import { NumberInput } from '#web/kit/ui/number-input.tsx'
import { PriceInput } from '#web/kit/ui/price-input.tsx'
import { OfflineNotice } from '#web/kit/ui/offline-bar.tsx'
import { ProgressBar } from '#web/kit/ui/progress-bar.tsx'
import { ProgressRing, TimeRing } from '#web/kit/ui/progress-ring.tsx'
import { StarRating, StarRatingInput } from '#web/kit/ui/star-rating.tsx'
import { reviewSteps, Stepper } from '#web/kit/ui/stepper.tsx'
import { TagsInput } from '#web/kit/ui/tags-input.tsx'
import { Example } from './example.tsx'

const minute = 60_000

/** The parts of the exchange: time, steps, balance, stars, categories and proof. */
export function Moments() {
  const [began] = useState(serverNow)
  return (
    <>
      <Example name="Progress ring, time ring, countdown">
        <ProgressRing value={0.25} label="Quarter" />
        <ProgressRing value={0.66} label="Ring with text" tone="success" valueText="2 of 3">
          <span className="text-12 font-semibold">2/3</span>
        </ProgressRing>
        <TimeRing start={began - 4 * minute} end={began + 26 * minute} label="Time to answer" />
        <TimeRing start={began - 29 * minute} end={began + minute} label="Time to answer, nearly over" />
        <TimeRing
          start={began - 90 * minute}
          end={began + 30 * minute}
          label="Cooldown"
          shows="passed"
          text="hours"
          size={132}
          stroke={8}
        />
        <p className="text-ink-2">
          Next offer in <Countdown to={began + 125 * minute} done="Now" />,{' '}
          <Countdown to={began + 26 * minute} as="clock" />,{' '}
          <Countdown to={began + 3_000 * minute} as="duration" />,{' '}
          <Countdown to={began - minute} done="Now" />
        </p>
      </Example>
      <Example name="Progress bar" column>
        <ProgressBar value={0.4} label="Upload" />
        <ProgressBar value={null} label="Checking" />
      </Example>
      <Example name="Stepper" column>
        <Stepper label="Your review" steps={reviewSteps} current={2} />
        <Stepper label="A missed review" steps={reviewSteps} current={1} failed />
        <Stepper label="A verified review" steps={reviewSteps} current={5} />
      </Example>
      <Example name="Balance meter">
        <BalanceMeter given={4} received={3} />
        <BalanceMeter given={2} received={2} />
        <BalanceMeter given={0} received={1} size="sm" />
      </Example>
      <Example name="Star rating">
        <StarRating value={4.6} count={18} />
        <StarRating value={3} count={1} size={20} />
        <StarRating value={null} />
        <StarRatingInput label="Your rating" defaultValue={4} />
        <StarRatingInput label="No rating yet" />
      </Example>
      <Example name="Category badge and placeholder" column>
        <div className="flex flex-wrap gap-2">
          {categories.map((category) => (
            <CategoryBadge key={category} category={category} />
          ))}
          <CategoryBadge category="unknown" />
        </div>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {categories.map((category) => (
            <CategoryPlaceholder key={category} category={category} className="aspect-16/10 rounded-10" />
          ))}
        </div>
      </Example>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Example name="Tags, number and price" column>
          <Field label="Tags" help="At most 10. They help buyers to find it.">
            <TagsInput defaultValue={['planner', 'printable', 'A4']} />
          </Field>
          <Field label="Price" optional help="Leave it empty if it varies.">
            <PriceInput defaultValue={1_250} />
          </Field>
          <Field label="Days of pause">
            <NumberInput defaultValue={14} min={1} max={30} />
          </Field>
        </Example>
        <Example name="File drop" column>
          <Field label="Proof of purchase" noErrorLine>
            <FileDrop accept={proofFiles} below={2 * 1_024 * 1_024} hint="JPG, PNG or PDF, under 2 MB" />
          </Field>
          <Field label="Being sent" noErrorLine>
            <FileDrop
              accept={proofFiles}
              below={2 * 1_024 * 1_024}
              hint="JPG, PNG or PDF, under 2 MB"
              value={new File(['%PDF'], 'order-3141592653.pdf', { type: 'application/pdf' })}
              progress={0.62}
            />
          </Field>
          <Field label="Product picture" noErrorLine>
            <FileDrop accept={proofFiles} below={1} hint="JPG or PNG, under 2 MB" storedUrl="/favicon.svg" />
          </Field>
        </Example>
      </div>
      <Example name="Copy button, avatar, keys, logo">
        <CopyButton text="https://example.com/coupon" label="Copy coupon link" />
        <Avatar name="Ada Lindqvist" size="sm" />
        <Avatar name="Ada Lindqvist" />
        <Avatar name="bo_marsh" size="lg" />
        <Avatar name="Nora Writes" size="xl" />
        <Avatar name="Picture" src="/favicon.svg" />
        <span className="flex gap-1">
          <Kbd>Ctrl</Kbd>
          <Kbd>K</Kbd>
        </span>
        <Logo />
        <Logo size="lg" />
        <Mark size={48} />
        <Button variant="ghost">Quiet</Button>
      </Example>
      <Example name="Offline bar" column>
        <OfflineNotice shown offline />
        <OfflineNotice shown offline={false} />
      </Example>
    </>
  )
}
