import { CircleAlert, CircleCheck, CircleDot, CirclePause } from 'lucide-react'
import type { Billing } from '#contract/membership.ts'
import { formatDateTime } from '#web/kit/time.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { Timeline, TimelineRow } from '#web/kit/ui/timeline.tsx'
import { changeLabels } from './state-labels.ts'

/** What happened to the membership, the latest first. */
export function ChangesCard({ changes }: Pick<Billing, 'changes'>) {
  return (
    <Card title="History" padding="none">
      <Timeline label="History of your membership">
        {changes.map(({ id, kind, at, until }) => {
          const { label, tone } = changeLabels[kind]
          return (
            <TimelineRow key={id} icon={icons[tone]} tone={tone} title={label} at={at}>
              {until === null ? null : `Until ${formatDateTime(until)}`}
            </TimelineRow>
          )
        })}
      </Timeline>
    </Card>
  )
}

const icons = {
  success: <CircleCheck />,
  warning: <CirclePause />,
  danger: <CircleAlert />,
  neutral: <CircleDot />,
}
