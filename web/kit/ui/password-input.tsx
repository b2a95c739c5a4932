import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { Input } from './input.tsx'
import type { InputProps } from './input.tsx'

/** A password input that can show its text and works with pasting and password managers. */
export function PasswordInput({
  autoComplete = 'current-password',
  ...props
}: Omit<InputProps, 'type' | 'trailing' | 'leading'>) {
  const [shown, setShown] = useState(false)
  return (
    <Input
      {...props}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      trailing={
        <IconButton
          size="sm"
          className="h-7! w-7!"
          label={shown ? 'Hide password' : 'Show password'}
          icon={shown ? <EyeOff /> : <Eye />}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
