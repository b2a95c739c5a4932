import { useTheme } from '#web/kit/theme.ts'
import { Card } from '#web/kit/ui/card.tsx'
import { RadioGroup } from '#web/kit/ui/radio-group.tsx'
import { SettingsSection } from './settings-section.tsx'

/** /settings/appearance: the theme on this device. */
export function AppearanceSettings() {
  const [theme, setTheme] = useTheme()
  return (
    <SettingsSection title="Appearance" help="How Evenhand looks on this device.">
      <Card level={3} title="Theme">
        <RadioGroup
          label="Theme"
          look="cards"
          value={theme}
          onValueChange={setTheme}
          options={[
            { value: 'system', label: 'System', help: 'Follows your device.' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </Card>
    </SettingsSection>
  )
}
