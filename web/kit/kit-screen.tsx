import { Actions } from './examples/actions.tsx'
import { Fields } from './examples/fields.tsx'
import { Lists } from './examples/lists.tsx'
import { Moments } from './examples/moments.tsx'
import { Texts } from './examples/text.tsx'
import { useTheme } from './theme.ts'
import { PageHeader } from './ui/page-header.tsx'
import { Page } from './ui/page.tsx'
import { Select } from './ui/select.tsx'

/** Shows every component of the kit in every state. Only in development. */
export function KitScreen() {
  const [theme, setTheme] = useTheme()
  return (
    <Page>
      <PageHeader
        title="Kit"
        help="Every component in every state, in the theme you choose here."
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
      <Texts />
      <Lists />
    </Page>
  )
}
