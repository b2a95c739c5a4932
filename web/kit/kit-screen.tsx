import { Deeds } from './specimens/deeds.tsx'
import { Fields } from './specimens/fields.tsx'
import { Lists } from './specimens/lists.tsx'
import { Moments } from './specimens/moments.tsx'
import { Words } from './specimens/words.tsx'
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
      <Deeds />
      <Fields />
      <Moments />
      <Words />
      <Lists />
    </Page>
  )
}
