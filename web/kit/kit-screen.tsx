import { Actions } from './examples/actions.tsx'
import { Fields } from './examples/fields.tsx'
import { Lists } from './examples/lists.tsx'
import { Moments } from './examples/moments.tsx'
import { Words } from './examples/text.tsx'
import { useTheme } from './theme.ts'
import { PageHeader } from './ui/page-header.tsx'
import { Page } from './ui/page.tsx'
import { Select } from './ui/select.tsx'

/** Every part of the kit in every state. Development only. */
export function KitScreen() {
  const [theme, setTheme] = useTheme()
  return (
    <Page>
      <PageHeader
        title="Kit"
        help="Every part in every state, in the theme chosen here."
        action={
          <Select
            size="sm"
            label="Theme"
            value={theme}
            onValueChange={(next) => setTheme(next ?? 'system')}
            options={[
              { value: 'system', label: 'System' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
          />
        }
      />
      <Actions />
      <Fields />
      <Moments />
      <Words />
      <Lists />
    </Page>
  )
}
