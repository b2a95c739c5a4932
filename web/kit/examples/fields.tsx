import { AtSign } from 'lucide-react'
import { z } from 'zod'
import { Form, FormRefusal, SubmitButton } from '#web/kit/form.tsx'
import { Card } from '#web/kit/ui/card.tsx'
import { Checkbox } from '#web/kit/ui/checkbox.tsx'
import { Combobox } from '#web/kit/ui/combobox.tsx'
import { Field } from '#web/kit/ui/field.tsx'
import { Input } from '#web/kit/ui/input.tsx'
import { TextLink } from '#web/kit/ui/link-button.tsx'
import { PasswordInput } from '#web/kit/ui/password-input.tsx'
import { RadioGroup } from '#web/kit/ui/radio-group.tsx'
import { Select } from '#web/kit/ui/select.tsx'
import { Switch } from '#web/kit/ui/switch.tsx'
import { Textarea } from '#web/kit/ui/textarea.tsx'
import { toast } from '#web/kit/ui/toast.tsx'

const cities = ['Lisbon', 'Delft', 'Gdańsk', 'Ōsaka', 'Valparaíso'].map((label) => ({
  value: label,
  label,
}))

const reasons = [
  { value: 'not_relevant', label: 'Not relevant to me' },
  { value: 'similar', label: 'Already reviewed similar' },
  { value: 'busy', label: 'Busy right now' },
  { value: 'other', label: 'Other' },
] as const

/** Every control, alone and in a form. */
export function Fields() {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card title="Fields">
        <Field label="Product name" help="As it is on the marketplace.">
          <Input placeholder="Weekly planner" />
        </Field>
        <Field label="Username" status="Looks great!" optional>
          <Input leading={<AtSign />} defaultValue="ada" />
        </Field>
        <Field label="Email" error="Please enter your email address">
          <Input type="email" defaultValue="ada@" />
        </Field>
        <Field label="Read only">
          <Input readOnly value="a••@example.com" />
        </Field>
        <Field label="Disabled">
          <Input disabled value="Not now" />
        </Field>
        <Field label="Password" aside={<TextLink href="#kit">Forgot password?</TextLink>}>
          <PasswordInput defaultValue="correct horse" />
        </Field>
        <Field label="Description" optional>
          <Textarea placeholder="What does a buyer get?" />
        </Field>
        <Field label="Reason">
          <Select options={reasons} placeholder="Choose a reason" />
        </Field>
        <Field label="Reason, chosen and wrong" error="Please choose another reason">
          <Select options={reasons} defaultValue="busy" />
        </Field>
        <Field label="One of very many" help="Type a part of it.">
          <Combobox options={cities} nothing="No city has this name." placeholder="Type a city" />
        </Field>
      </Card>
      <div className="flex flex-col gap-6">
        <Card title="Choices">
          <div className="flex flex-col gap-4">
            <Checkbox label="I used AI for grammar and clarity only" help="Shown with your review." />
            <Checkbox label="Ticked" defaultChecked />
            <Checkbox label="Some of them" indeterminate />
            <Checkbox label="Cannot be changed" disabled />
            <Checkbox label="I agree to the rules" error="Please agree to the rules" />
            <Field label="Why do you decline?" noErrorLine>
              <RadioGroup options={reasons} defaultValue="busy" />
            </Field>
            <Field label="How did you buy it?" noErrorLine>
              <RadioGroup
                look="cards"
                defaultValue="free"
                options={[
                  { value: 'free', label: 'Coupon for $0.00', help: 'The order shows as free.' },
                  { value: 'half', label: 'Coupon for $0.50', help: 'You pay fifty cents at checkout.' },
                ]}
              />
            </Field>
            <Switch label="Email me about offers" help="At most three a day." defaultChecked />
            <Switch label="Web push" />
            <Switch label="Not available here" disabled />
          </div>
        </Card>
        <Card title="Form">
          <ExampleForm />
        </Card>
      </div>
    </div>
  )
}

const signUp = z.object({
  username: z
    .string()
    .regex(/^[a-z][a-z0-9_-]{2,19}$/, 'Start with a letter, 3–20 chars, only letters/numbers/-/_'),
  password: z.string().min(8, 'Use at least 8 characters.'),
  agree: z.boolean().refine((agreed) => agreed, 'Please agree to the rules'),
})

function ExampleForm() {
  return (
    <Form
      label="Example"
      schema={signUp}
      defaultValues={{ username: '', password: '', agree: false }}
      onSubmit={async ({ username }) => {
        await new Promise((resolve) => setTimeout(resolve, 700))
        if (username === 'taken')
          throw new FormRefusal({ fields: { username: 'That username is already taken' } })
        if (username === 'broken') throw new Error('connection lost')
        toast({ title: 'Saved', tone: 'success' })
      }}
    >
      <Field name="username" label="Username" help="Try ‘taken’ and ‘broken’.">
        <Input autoComplete="username" autoCapitalize="none" />
      </Field>
      <Field name="password" label="Password">
        <PasswordInput autoComplete="new-password" />
      </Field>
      <Checkbox name="agree" label="I have read the rules" />
      <SubmitButton className="mt-5" busyLabel="Saving...">
        Save
      </SubmitButton>
    </Form>
  )
}
